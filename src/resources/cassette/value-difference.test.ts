import { expect, test } from 'vitest';
import { valueDifference } from './value-difference.ts';

test.each([
  { created: 1_794_000_000 },
  { updatedAt: 1_794_000_000_000 },
  { token: { exp: 1_794_000_000 } },
  { sent_at: [1_794_000_000] },
])('a time is another one in every run: %j', (recorded) => {
  const now: unknown = JSON.parse(JSON.stringify(recorded).replace('1794', '1801'));
  expect(valueDifference(recorded, now)).toEqual([]);
});

test.each([{ amount: 1_600_000_000 }, { format: 1_600_000_000_000 }, { counts: [1_600_000_000] }])(
  'a number that only could be a time is an amount: %j',
  (recorded) => {
    const now: unknown = JSON.parse(JSON.stringify(recorded).replace('16000', '24000'));
    expect(valueDifference(recorded, now)).toHaveLength(1);
  },
);
