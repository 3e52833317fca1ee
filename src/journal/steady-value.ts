/** Values without the parts that differ in every run. Pure. */
import { isMap } from '../kernel/is-map.ts';
import { looksRandom } from '../kernel/looks-random.ts';

/** What differs in every run is ignored: ids, dates, times. */
export function steadyText(text: string): string {
  return text
    .replaceAll(ownNames, '‹id›')
    .replaceAll(uuids, '‹id›')
    .replaceAll(writtenTimes, '‹date›')
    .replaceAll(longNumbers, (found) => (isId(found) ? '‹id›' : found))
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

/** A number of that size may be an amount, too: its name decides. */
export function isNamedMoment(value: number, key: string): boolean {
  return isMoment(value) && momentNames.test(key);
}

const momentNames =
  /time|date|stamp|created|modified|expire|epoch|deadline|(?:^|[_-])(?:at|on|ts|t|iat|exp|nbf|now|when|since|until)$|[a-z](?:At|On|Ts)$/;

/** It may have a prefix: `msg_…`. */
const uuids = /(?<![0-9A-Za-z])[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![0-9A-Za-z])/g;
/** At least twelve digits, decimal or hexadecimal; after a plus of their own they are those of a telephone, after a point those of a fraction. */
const longNumbers =
  /(?<![0-9A-Za-z]|(?<![0-9A-Za-z])\+|(?<![0-9A-Za-z.])\d+\.)(?:[0-9a-f]{12,}|[0-9A-F]{12,})(?![0-9A-Za-z])/g;
/** Of the folder of an environment, and of a run: agents mention where they work. */
const ownNames =
  /\bshakedown-[a-hjkmnp-z][a-hjkmnp-z2-9]{7}\b|\b\d{8}-\d{6}-[a-hjkmnp-z][a-hjkmnp-z2-9]{3}\b/g;
const ids = new RegExp(`${ownNames.source}|${uuids.source}|${longNumbers.source}`, 'g');

function isId(found: string): boolean {
  return found.includes('-') || /^\d+$/.test(found) || looksRandom(found);
}

/** Those that `steadyText` takes for ids, in their order; of a map by the order of its keys' names. */
export function idsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return (value.match(ids) ?? []).filter(isId);
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (!isMap(value)) return [];
  return Object.keys(value)
    .sort()
    .flatMap((name) => idsIn(value[name]));
}

const month =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?';
const weekday = '(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs?)?|Fri|Sat(?:ur)?|Sun)(?:day)?,?\\s';
const day = '\\d{1,2}(?:st|nd|rd|th)?';
const year = '(?:19|20)\\d{2}';
const seconds = ':\\d{2}(?:[.,]\\d+)?';
const half = '\\s?[AP]M\\b';
const zoneName = '(?:UTC|GMT|[ECMP][SD]T|[CEW]ES?T|[BIJ]ST)';
const zone = `(?:\\s?${zoneName}\\b|Z\\b)?(?:\\s?[+-]\\d{2}:?\\d{2}\\b|[+-]\\d{1,2}(?::\\d{2})?\\b)?(?:\\s\\((?:${zoneName}|[A-Z][A-Za-z ]{2,40} Time)\\))?`;
const time = `\\d{1,2}:\\d{2}(?:${seconds})?(?:${half})?${zone}`;

const dates = [
  '\\d{4}-\\d{2}-\\d{2}',
  `${year}/\\d{1,2}/\\d{1,2}`,
  `\\d{1,2}([/.])\\d{1,2}\\1${year}`,
  `${month}\\s{1,2}${day},?\\s${year}`,
  `${day}[\\s-]${month}[,\\s-]\\s?${year}`,
  `${month}\\s{1,2}${day}\\s${time}\\s${year}`,
];

/** Without a date it has seconds or a half of the day, or is on its own: `a[10:20]` and `a.ts:10:20` are not times. */
const timesOfDay = [
  `(?<![.:])\\d{1,2}:\\d{2}(?:${seconds}(?:${half})?|${half})${zone}(?!:)`,
  `(?<![^\\s"'(])[0-2]\\d:[0-5]\\d(?![\\d:])${zone}`,
];

/** Dates and times of day, as programs and people write them in English. */
const writtenTimes = new RegExp(
  `(?<![0-9A-Za-z])(?:(?:${weekday})?(?:${dates.join('|')})(?!\\d)(?:(?:T|,?\\s|\\sat\\s)${time})?|${timesOfDay.join('|')})`,
  'g',
);
