/** What the trial has sent itself. */
import { expect, test } from 'vitest';
import { cpuMs } from '../../../test/harness/cpu-time.ts';
import type { AttemptView } from '../../checks/attempt-view.ts';
import { testControlled } from './test-controlled.ts';

const list = (length: number, more: object = {}) =>
  Array.from({ length }, (_, index) => ({ id: index, name: `item ${index}`, tags: ['a', 'b'], ...more }));

function isOwn(sent: unknown, value: unknown): boolean {
  const view = { events: [{ type: 'step.started', step: 's', sent }], scope: {} } as unknown as AttemptView;
  return testControlled(view, { kind: 'value', value }).isOwn([]);
}

test('a value of a flow that was sent as it is', () => {
  expect(isOwn({ json: { items: list(3) } }, list(3))).toBe(true);
  expect(isOwn({ json: { items: list(3) } }, list(3, { total: 1 }))).toBe(false);
});

test('a long list is compared in no time', () => {
  const [few, many] = [list(10_000), list(10_000, { total: 1 })];
  expect(cpuMs(() => expect(isOwn({ json: { items: few } }, many)).toBe(false))).toBeLessThan(2_000);
});
