/** Intervals and times of the day in their binary form, as PostgreSQL prints them. Pure. */

const infinities: ReadonlyMap<string, string> = new Map([
  ['7fffffffffffffff7fffffff7fffffff', 'infinity'],
  ['80000000000000008000000080000000', '-infinity'],
]);

/** Microseconds, days and months, each with its own sign: `1 year 2 mons -3 days +04:05:06.789`. */
export function readInterval(bytes: Buffer): string {
  const infinite = infinities.get(bytes.toString('hex'));
  if (infinite !== undefined) return infinite;
  const micros = bytes.readBigInt64BE(0);
  const months = bytes.readInt32BE(12);
  const counts = [
    ['year', Math.trunc(months / 12)],
    ['mon', months % 12],
    ['day', bytes.readInt32BE(8)],
  ] as const;
  const parts: string[] = [];
  let isBehindNegative = false;
  for (const [unit, count] of counts) {
    if (count === 0) continue;
    parts.push(`${isBehindNegative && count > 0 ? '+' : ''}${count} ${unit}${count === 1 ? '' : 's'}`);
    isBehindNegative = count < 0;
  }
  if (parts.length === 0 || micros !== 0n) {
    const sign = micros < 0n ? '-' : isBehindNegative ? '+' : '';
    parts.push(`${sign}${printMicros(micros < 0n ? -micros : micros)}`);
  }
  return parts.join(' ');
}

export function readTimeOfDay(bytes: Buffer): string {
  return printMicros(bytes.readBigInt64BE(0));
}

/** Behind the time, the seconds west of Greenwich. */
export function readZonedTime(bytes: Buffer): string {
  const west = bytes.readInt32BE(8);
  const [hours, ...rest] = [3_600, 60, 1].map((unit, index) =>
    digits(Math.floor(Math.abs(west) / unit) % (index === 0 ? 100 : 60)),
  );
  while (rest.at(-1) === '00') rest.pop();
  return `${readTimeOfDay(bytes)}${west > 0 ? '-' : '+'}${[hours, ...rest].join(':')}`;
}

function printMicros(micros: bigint): string {
  const seconds = micros / 1_000_000n;
  const fraction = String(micros % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const clock = [seconds / 3_600n, (seconds / 60n) % 60n, seconds % 60n].map(digits).join(':');
  return fraction === '' ? clock : `${clock}.${fraction}`;
}

function digits(value: bigint | number): string {
  return String(value).padStart(2, '0');
}
