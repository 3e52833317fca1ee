/** Values without what is another one in every run. Pure. */
import { isContainer } from '../kernel/exact-json.ts';
import { writtenTimes } from './written-times.ts';

/** What is another one in every run says nothing: ids, dates, times. */
export function steadyText(text: string): string {
  return text
    .replaceAll(uuids, '‹id›')
    .replaceAll(writtenTimes, '‹date›')
    .replaceAll(longNumbers, '‹id›')
    .replaceAll(/\b(127\.0\.0\.1|localhost):\d{2,5}\b/g, '$1:‹port›');
}

type IsTime = (value: number, key: string) => boolean;

/** Keys are left as they are. */
export function steadyValue(value: unknown, isTime: IsTime = isMoment, key = ''): unknown {
  if (typeof value === 'string') return steadyText(value);
  if (typeof value === 'number') return isTime(value, key) ? '‹time›' : value;
  if (Array.isArray(value)) return value.map((inner) => steadyValue(inner, isTime, key));
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, steadyValue(inner, isTime, name)]);
  return Object.fromEntries(entries);
}

/** Seconds or milliseconds since 1970, of our time. */
function isMoment(value: number): boolean {
  return (value > 1.5e9 && value < 2.5e9) || (value > 1.5e12 && value < 2.5e12);
}

/** A number of that size may be an amount, too: its name tells. */
export function isNamedMoment(value: number, key: string): boolean {
  return isMoment(value) && momentNames.test(key);
}

const momentNames =
  /time|date|stamp|created|modified|expire|epoch|deadline|(?:^|[_-])(?:at|on|ts|t|iat|exp|nbf|now|when|since|until)$|[a-z](?:At|On|Ts)$/;

/** A prefix may stand before it: `msg_…`. */
const uuids = /(?<![0-9A-Za-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9A-Za-z])/gi;
/** At least twelve digits, decimal or hexadecimal. */
const longNumbers = /(?<![0-9A-Za-z])[0-9a-f]{12,}(?![0-9A-Za-z])/gi;
const ids = new RegExp(`${uuids.source}|${longNumbers.source}`, 'gi');

/** Those that `steadyText` takes for ids, in their order; of a map by the order of its keys' names. */
export function idsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.match(ids) ?? [];
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (!isMap(value)) return [];
  return Object.keys(value)
    .sort()
    .flatMap((name) => idsIn(value[name]));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isContainer(value) && !Array.isArray(value);
}
