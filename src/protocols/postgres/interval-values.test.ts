import { expect, test } from 'vitest';
import { readValue } from './column-values.ts';

const [interval, time, zonedTime] = [1186, 1083, 1266];

test.each([
  ['02:00:00', 7_200_000_000n, 0, 0],
  ['00:00:00', 0n, 0, 0],
  ['-00:00:01.5', -1_500_000n, 0, 0],
  ['1 day', 0n, 1, 0],
  ['1 year 2 mons -3 days +04:05:06.789', 14_706_789_000n, -3, 14],
  ['-1 years -1 mons +2 days -00:01:00', -60_000_000n, 2, -13],
  ['30:00:00.000001', 108_000_000_001n, 0, 0],
  ['infinity', 0x7fff_ffff_ffff_ffffn, 0x7fff_ffff, 0x7fff_ffff],
  ['-infinity', -0x8000_0000_0000_0000n, -0x8000_0000, -0x8000_0000],
])('the interval %s is as PostgreSQL prints it', (written, micros, days, months) => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(micros);
  bytes.writeInt32BE(days, 8);
  bytes.writeInt32BE(months, 12);
  expect(readValue(bytes, interval, 'binary')).toBe(written);
  expect(readValue(Buffer.from(written), interval, 'text')).toBe(written);
});

test('a time of the day is read with its zone, if it has one', () => {
  const bytes = Buffer.alloc(12);
  bytes.writeBigInt64BE(18_420_250_000n);
  bytes.writeInt32BE(12_600, 8);
  expect(readValue(bytes.subarray(0, 8), time, 'binary')).toBe('05:07:00.25');
  expect(readValue(bytes, zonedTime, 'binary')).toBe('05:07:00.25-03:30');
  bytes.writeInt32BE(-7_200, 8);
  expect(readValue(bytes, zonedTime, 'binary')).toBe('05:07:00.25+02');
});
