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

test.each([
  ['msg_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', 'msg_0199a1b2-ffff-7e5f-8a9b-0c1d2e3f4a5b'],
  ['Today is Monday, November 16, 2026.', 'Today is Tuesday, March 2, 2027.'],
  ['on 16 Nov 2026 at 9:03', 'on 2 May 2027 at 15:03'],
  [new Date(0).toUTCString(), new Date(1_794_000_000_000).toUTCString()],
  [new Date(0).toString(), new Date(1_794_000_000_000).toString()],
  [new Date(0).toLocaleString('en-US'), new Date(1_794_000_000_000).toLocaleString('en-US')],
])('an id with a prefix, and a date in words, differ in every run: %s', (recorded, now) => {
  expect(valueDifference([recorded], [now])).toEqual([]);
});

test.each([
  ['May 12 people come?', 'May 13 people come?'],
  ['buy 3/4/2 of it', 'buy 3/4/5 of it'],
  ['0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5bz', '0199a1b2-ffff-7e5f-8a9b-0c1d2e3f4a5bz'],
])('what only looks like one counts: %s', (recorded, now) => {
  expect(valueDifference([recorded], [now])).toHaveLength(1);
});

test.each([{ amount: 1_600_000_000 }, { format: 1_600_000_000_000 }, { counts: [1_600_000_000] }])(
  'a number that only could be a time is an amount: %j',
  (recorded) => {
    const now: unknown = JSON.parse(JSON.stringify(recorded).replace('16000', '24000'));
    expect(valueDifference(recorded, now)).toHaveLength(1);
  },
);
