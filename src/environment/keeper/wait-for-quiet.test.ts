import { afterEach, expect, test } from 'vitest';
import { post, type WatchedEdge, watchedEdge } from '../../../test/taps/watched-edge.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { viewCalls } from '../../observers/calls/call-view.ts';
import type { System } from '../../system/system.ts';
import type { EnvironmentContext } from '../environment-context.ts';
import type { NodeRecord } from '../node-record.ts';
import type { AddressBook } from '../wiring/address-book.ts';
import { StdioEdge } from '../wiring/stdio-edge.ts';
import type { Client } from './keeper-server.ts';
import { type Quiet, waitForQuiet } from './wait-for-quiet.ts';

let edge: WatchedEdge | undefined;
afterEach(() => edge?.close());

/** Time passes only during a sleep. */
function sleepingClock(): Clock & { wait(ms: number): void } {
  let time = 10_000;
  const timers: { readonly at: number; readonly callback: () => void }[] = [];
  return {
    now: () => time,
    monotonic: () => time,
    sleep: async (ms) => {
      time += ms;
    },
    after: (ms, callback) => {
      const timer = { at: time + ms, callback };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer) >>> 0, 1);
    },
    wait: (ms) => {
      time += ms;
      for (const { at, callback } of [...timers]) if (at <= time) callback();
    },
  };
}

const quiet = (
  clock: Clock,
  patience: { settleMs: number; withinMs: number; unusedMs?: number; since?: number },
  nodes: EnvironmentContext['nodes'] = new Map(),
  stdioEdges: readonly StdioEdge[] = [],
): Promise<Quiet> => {
  const taps = edge ? [{ tap: edge.tap }] : [];
  return waitForQuiet(
    {
      book: { taps } as unknown as AddressBook,
      clock,
      at: () => 77,
      nodes,
      system: {} as System,
      stdioEdges,
    },
    patience,
  );
};

test('a system without traffic is also given the settle time', async () => {
  const clock = sleepingClock();
  edge = await watchedEdge({ clock });
  clock.wait(60_000);
  expect(await quiet(clock, { settleMs: 300, withinMs: 5_000 })).toEqual({
    quiet: true,
    waitedMs: 300,
    busy: [],
    unwatched: [],
    at: 77,
    machineAt: expect.any(Number),
    inFlight: [],
    inFlightOmitted: 0,
  });
  await edge.close();
  edge = undefined;
  expect(await quiet(clock, { settleMs: 300, withinMs: 5_000 })).toMatchObject({
    quiet: true,
    waitedMs: 300,
  });
});

test('a wait shorter than the settle time reports that it is not quiet', async () => {
  expect(await quiet(sleepingClock(), { settleMs: 300, withinMs: 100 })).toMatchObject({
    quiet: false,
    waitedMs: 100,
    busy: [],
  });
});

/** A model with lines left in its script, and a worker that may use them. */
function nodesWith(unused: () => number, state: NodeRecord['state'] = 'ready'): EnvironmentContext['nodes'] {
  const model = { name: 'model', state: 'ready', resource: { peer: { unused } } };
  const worker = { name: 'worker', state };
  return new Map(Object.entries({ model, worker })) as unknown as EnvironmentContext['nodes'];
}

test.each<[string, (now: number) => number, NodeRecord['state'], number]>([
  ['is waited for', (now) => (now < 11_000 ? 1 : 0), 'ready', 1_000],
  [
    'has its own time after each that was used',
    (now) => (now < 12_000 ? 2 : now < 14_000 ? 1 : 0),
    'ready',
    4_000,
  ],
  ['is not waited for without end', () => 1, 'ready', 3_300],
  ['is not waited for once a service has ended by itself', () => 1, 'exited', 300],
])('a line of a script that must be used %s', async (_, left, state, waitedMs) => {
  const clock = sleepingClock();
  const patience = { settleMs: 300, withinMs: 10_000, unusedMs: 3_000 };
  const nodes = nodesWith(() => left(clock.monotonic()), state);
  const reached = await quiet(clock, patience, nodes);
  expect(reached.quiet).toBe(true);
  expect(Math.abs(reached.waitedMs - waitedMs)).toBeLessThan(20);
});

test('it is waited for only on request, and within the time of the request', async () => {
  let counted = 0;
  const nodes = nodesWith(() => {
    counted += 1;
    return 1;
  });
  const now = await quiet(sleepingClock(), { settleMs: 300, withinMs: 5_000 }, nodes);
  expect(now).toMatchObject({ quiet: true, waitedMs: 300 });
  expect(counted).toBe(0);
  const soon = await quiet(sleepingClock(), { settleMs: 300, withinMs: 500, unusedMs: 3_000 }, nodes);
  expect(soon).toMatchObject({ quiet: true, waitedMs: 500 });
});

test('a call that is in flight when time is up is reported', async () => {
  const clock = sleepingClock();
  edge = await watchedEdge({ clock });
  const { ask } = await edge.talk();
  await ask(post('/slow', { a: 1 }));
  expect(await quiet(clock, { settleMs: 0, withinMs: 100 })).toMatchObject({
    quiet: false,
    busy: [{ from: 'app', to: 'store' }],
    inFlight: [{ path: '/slow', request: { json: { a: 1 } }, incomplete: 'in-flight' }],
  });
});

test('a call over stdio that gets no answer is waited for in its attempt, no longer than 30 s, and a late answer counts', async () => {
  const clock = sleepingClock();
  const reported: CallEvent[] = [];
  const emit = (event: unknown): void => void reported.push(event as CallEvent);
  const stdio = new StdioEdge('agent', 'tools', { clock, emit });
  const tap = { onGone: () => undefined } as unknown as Client;
  const asked = {
    type: 'call',
    from: 'agent',
    to: 'tools',
    crossing: 1,
    connection: 1,
    protocol: 'json-rpc',
  } as const;
  const request = { headers: {}, bytes: 9 };
  const call: CallEvent = {
    ...asked,
    method: 'tools/call',
    path: 'stdio',
    request,
    startedAt: 10_000,
    endedAt: 10_000,
  };
  const look = (since?: number): Promise<Quiet> =>
    quiet(clock, defined({ settleMs: 300, withinMs: 500, since }), new Map(), [stdio]);
  stdio.reported({ ...call, incomplete: 'in-flight' }, tap);
  expect(await look(10_000)).toMatchObject({ quiet: false, inFlight: [{ crossing: 1 }] });
  expect(await look(10_001)).toMatchObject({ quiet: true });
  expect(await look()).toMatchObject({ quiet: false });
  clock.wait(30_000);
  expect(await look(10_000)).toMatchObject({ quiet: true, inFlight: [] });
  expect(reported).toMatchObject([{ crossing: 1, incomplete: 'unanswered' }]);
  stdio.reported({ ...call, result: {}, endedAt: 45_000 }, tap);
  expect(viewCalls(reported)).toMatchObject([{ crossing: 1, result: {} }]);
});
