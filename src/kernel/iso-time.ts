/** A moment as PostgreSQL prints it, in the form that JavaScript and most others write. Pure. */

/** At least milliseconds, and `Z` for UTC; microseconds stay when there are any. Another form stays as it is. */
export function isoTime(text: string): string {
  const match = /^(\d{4,}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?(\+00(?::00)?)?$/.exec(text);
  if (!match) return text;
  const [, date, time, fraction = '', zone] = match;
  return `${date}T${time}.${fraction.padEnd(3, '0')}${zone === undefined ? '' : 'Z'}`;
}
