import { expect, test } from 'vitest';
import { makeCall } from '../../../test/conformance/observer-setup.ts';
import { callsInFlight } from './wait-for-quiet.ts';

test('calls of all edges, as many as one message can hold', () => {
  const large = makeCall('a', 'b', 1, { params: 'x'.repeat(3 * 1024 * 1024) });
  const small = makeCall('b', 'c', 1);
  const taps = [[large, large], [small]].map((calls) => ({ callsInFlight: () => calls }));
  expect(callsInFlight(taps)).toEqual({ inFlight: [large, small], inFlightOmitted: 1 });
  const many = [{ callsInFlight: () => Array.from({ length: 1_007 }, () => small) }];
  expect(callsInFlight(many)).toMatchObject({ inFlight: { length: 1_000 }, inFlightOmitted: 7 });
});
