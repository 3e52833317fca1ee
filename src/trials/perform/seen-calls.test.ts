import { expect, test } from 'vitest';
import type { CallEvent } from '../../journal/call-event.ts';
import type { LiveEnvironment } from './live-environment.ts';
import { openSeenCalls } from './seen-calls.ts';

test('a stream that a client keeps open to listen is not in flight', async () => {
  const call = (method: string, type: string): CallEvent => ({
    type: 'call',
    from: 'a',
    to: 'b',
    crossing: 1,
    connection: 1,
    protocol: 'http',
    method,
    path: '/mcp',
    request: { headers: {}, bytes: 0 },
    response: { status: 200, headers: { 'content-type': type }, bytes: 0 },
    startedAt: 1,
    endedAt: 2,
    incomplete: 'in-flight',
  });
  const events = 'Text/Event-Stream; charset=utf-8';
  const inFlight = [
    call('GET', events),
    call('subscriptions/listen', events),
    call('tools/call', events),
    call('GET', 'text/plain'),
  ];
  const ask = async () => ({ at: 0, machineAt: 0, inFlight, inFlightOmitted: 0 });
  const seen = await openSeenCalls({ ask } as unknown as LiveEnvironment);
  expect(await seen.inFlight()).toEqual(inFlight.slice(2));
  expect(await seen.openBeside()).toEqual(['a -> b']);
});

test('a call from before that ends within the attempt is none of it, and its edge is said', async () => {
  const call: CallEvent = {
    type: 'call',
    from: 'a',
    to: 'b',
    crossing: 1,
    connection: 1,
    protocol: 'http',
    method: 'GET',
    path: '/next',
    request: { headers: {}, bytes: 0 },
    startedAt: 90,
    endedAt: 95,
  };
  const ask = async () => ({ at: 100, machineAt: 0, inFlight: [], inFlightOmitted: 0 });
  const seen = await openSeenCalls({ ask } as unknown as LiveEnvironment);
  expect(seen.add(call)).toBe(false);
  expect(await seen.openBeside()).toEqual([]);
  const session = { request: { headers: { 'mcp-session-id': 's' }, bytes: 0 } };
  expect(seen.add({ ...call, ...session, endedAt: 120 })).toBe(false);
  expect(await seen.openBeside()).toEqual([]);
  expect(seen.add({ ...call, endedAt: 120 })).toBe(false);
  expect(await seen.openBeside()).toEqual(['a -> b']);
});

test('a read that waited is a call of the attempt that answered it, and of none while it waits', async () => {
  const read = (over: Partial<CallEvent>): CallEvent => ({
    type: 'call',
    from: 'worker',
    to: 'queue',
    crossing: 1,
    connection: 1,
    protocol: 'resp',
    method: 'BLPOP',
    path: 'jobs',
    request: { headers: {}, bytes: 0 },
    startedAt: 10,
    endedAt: 120,
    waits: true,
    ...over,
  });
  const open = read({ startedAt: 130, incomplete: 'in-flight' });
  const ask = async () => ({ at: 100, machineAt: 0, inFlight: [open], inFlightOmitted: 0 });
  const seen = await openSeenCalls({ ask } as unknown as LiveEnvironment);
  const taken = read({ response: { status: 200, headers: {}, bytes: 9 } });
  const { waits: _waits, ...slow } = taken;
  expect(seen.add(taken)).toBe(true);
  expect(seen.add(slow)).toBe(false);
  expect(seen.add({ ...taken, endedAt: 90 })).toBe(false);
  expect(seen.add(read({ incomplete: 'cut' }))).toBe(false);
  expect(await seen.all()).toEqual([taken]);
  expect(await seen.inFlight()).toEqual([open]);
});
