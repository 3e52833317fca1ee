import { afterEach, expect, test } from 'vitest';
import { post, type WatchedEdge, watchedEdge } from '../../../test/taps/watched-edge.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { System } from '../../system/system.ts';
import type { AddressBook } from '../wiring/address-book.ts';
import { type Quiet, waitForQuiet } from './wait-for-quiet.ts';

let edge: WatchedEdge | undefined;
afterEach(() => edge?.close());

/** Time passes only while somebody sleeps. */
function sleepingClock(): Clock & { wait(ms: number): void } {
  let time = 10_000;
  return {
    now: () => time,
    monotonic: () => time,
    sleep: async (ms) => {
      time += ms;
    },
    after: () => () => undefined,
    wait: (ms) => {
      time += ms;
    },
  };
}

const quiet = (clock: Clock, patience: { settleMs: number; withinMs: number }): Promise<Quiet> => {
  const taps = edge ? [{ tap: edge.tap }] : [];
  return waitForQuiet(
    { book: { taps } as unknown as AddressBook, clock, at: () => 77, nodes: new Map(), system: {} as System },
    patience,
  );
};

test('a system without traffic is given its time, too', async () => {
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

test('who has less time than that hears that it is not known to be quiet', async () => {
  expect(await quiet(sleepingClock(), { settleMs: 300, withinMs: 100 })).toMatchObject({
    quiet: false,
    waitedMs: 100,
    busy: [],
  });
});

test('a call that is in flight when time is up is told', async () => {
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
