/** Spans of time as SQL writes them, `1 day 02:30:00` and `10 minutes`, in milliseconds; a month has 30 days, as in comparisons of PostgreSQL. */

const second = 1_000;
const day = 86_400 * second;
const units: Readonly<Record<string, number>> = {
  year: 360 * day,
  mon: 30 * day,
  month: 30 * day,
  week: 7 * day,
  day,
  hour: 3_600 * second,
  min: 60 * second,
  minute: 60 * second,
  sec: second,
  second,
};
const part = String.raw`(?<amount>[+-]?\d+(?:\.\d+)?) (?<unit>${Object.keys(units).join('|')})s?`;
const clock = String.raw`(?<sign>[+-]?)(?<hours>\d+):(?<minutes>[0-5]\d)(?::(?<seconds>[0-5]\d(?:\.\d+)?))?`;
const whole = new RegExp(`^(?:${unnamed(part)}(?: |$))*(?:${unnamed(clock)})?$`);

/** Undefined for a text that is none. */
export function parseInterval(text: string): number | undefined {
  if (text === '' || text.endsWith(' ') || !whole.test(text)) return undefined;
  const words = [...text.matchAll(new RegExp(part, 'g'))].map(
    ({ groups }) => Number(groups?.amount) * (units[String(groups?.unit)] ?? 0),
  );
  const { sign, hours, minutes, seconds } = new RegExp(`${clock}$`).exec(text)?.groups ?? {};
  const time = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return words.reduce((sum, ms) => sum + ms, (sign === '-' ? -1 : 1) * time * second);
}

function unnamed(source: string): string {
  return source.replaceAll(/\(\?<\w+>/g, '(?:');
}
