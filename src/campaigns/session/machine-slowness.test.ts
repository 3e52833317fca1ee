import { expect, test } from 'vitest';
import { machineSlowness } from './machine-slowness.ts';

test('only a machine with more than twice the work for its cores is slow', () => {
  const slowness = [0, 2, 4, 8, 20, 1_000].map((load) => machineSlowness(load, 2));
  expect(slowness).toEqual([1, 1, 1, 2, 5, 10]);
  expect(machineSlowness()).toBeGreaterThanOrEqual(1);
});
