import { expect, test } from 'vitest';
import type { JournalEvent, JournalEventBody } from '../journal/event.ts';
import { bootTimeline, drawTimeline } from './boot-timeline.ts';

/** Name, what it waits for, start and end. */
type Part = readonly [name: string, after: readonly string[], from: number, to: number | undefined];

function journal(parts: readonly Part[], bootMs?: number): JournalEvent[] {
  const timed: Array<readonly [number, JournalEventBody]> = parts.flatMap(([name, after, from, to]) => [
    [0, { type: 'node.waiting', kind: 'service', name, after }] as const,
    [from, { type: 'node.starting', kind: 'service', name }] as const,
    ...(to === undefined ? [] : [[to, { type: 'node.ready', kind: 'service', name }] as const]),
  ]);
  if (bootMs !== undefined) timed.push([bootMs, { type: 'environment.ready', bootMs }]);
  return timed.map(([at, body], index) => ({ seq: index + 1, at, ...body }));
}

const ink = { critical: (text: string) => text, quiet: (text: string) => text };
const boot: readonly Part[] = [
  ['db', [], 0, 500],
  ['model', [], 0, 100],
  ['migrate', ['db'], 500, 700],
  ['health', ['migrate', 'model'], 700, 900],
  ['finance', ['migrate'], 700, 1_400],
  ['front', ['health', 'finance'], 1_400, 1_600],
];

test('the critical path goes back from the last, each time to its slowest dependency', () => {
  const timeline = bootTimeline(journal(boot, 1_650));
  expect(timeline.criticalPath.map(({ name }) => name)).toEqual(['db', 'migrate', 'finance', 'front']);
  expect(timeline.criticalMs).toBe(1_600);
  expect(timeline.bootMs).toBe(1_650);
});

test('the drawing marks the critical path without colour, and shows the time of Shakedown itself', () => {
  const text = drawTimeline(bootTimeline(journal(boot, 1_650)), 80, ink);
  expect(text).toContain(
    'critical path: db 500 ms → migrate 200 ms → finance 700 ms → front 200 ms = 1.60 s; Shakedown itself 50 ms',
  );
  const bars = Object.fromEntries(text.split('\n').map((line) => [line.trim().split(/\s+/)[1], line]));
  expect(bars.finance).toContain('█');
  expect(bars.health).toContain('░');
  expect(bars.health).not.toContain('█');
});

test('a boot that did not end is drawn as far as it came', () => {
  const timeline = bootTimeline(
    journal([
      ['db', [], 0, 500],
      ['web', ['db'], 500, undefined],
    ]),
  );
  expect(timeline.bootMs).toBeUndefined();
  expect(drawTimeline(timeline, 80, ink)).toMatch(
    /service web .*not ready\n {2}█ longest chain so far: db 500 ms/,
  );
});
