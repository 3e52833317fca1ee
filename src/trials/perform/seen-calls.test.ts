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
});
