/** Dates and times of day, as programs and people write them in English. */

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

/** Without a date it has seconds or a half of the day, or stands alone: `a[10:20]` and `a.ts:10:20` are none. */
const timesOfDay = [
  `(?<![.:])\\d{1,2}:\\d{2}(?:${seconds}(?:${half})?|${half})${zone}(?!:)`,
  `(?<![^\\s"'(])[0-2]\\d:[0-5]\\d(?![\\d:])${zone}`,
];

export const writtenTimes = new RegExp(
  `(?<![0-9A-Za-z])(?:(?:${weekday})?(?:${dates.join('|')})(?!\\d)(?:(?:T|,?\\s|\\sat\\s)${time})?|${timesOfDay.join('|')})`,
  'g',
);
