/** What a first trial looks at. */
import { expect, test } from 'vitest';
import type { System } from '../../system/system.ts';
import { firstTrial } from './first-trial.ts';

const system = (...names: readonly string[]): System =>
  ({ services: names.map((name) => ({ name })) }) as unknown as System;

test('a service that a resource may replace is only looked at when there is nothing else', () => {
  const replaceable = new Set(['cache']);
  const both = firstTrial('compose.yaml', system('worker', 'cache'), [], replaceable);
  expect(both).toContain('process: worker');
  expect(both).not.toContain('cache');
  expect(firstTrial('compose.yaml', system('cache'), [], replaceable)).toContain('process: cache');
});
