/** When a test or suite began, as far as a timestamp tells: runners differ in zone and precision. Pure. */

export interface Began {
  /** Wall time in milliseconds: not before, and not after. */
  readonly earliest: number;
  readonly latest: number;
}

export interface CommandTime {
  readonly startedAt: number;
  readonly endedAt: number;
}

const pattern = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** Clocks of two processes are one clock; what is rounded may still lie a little before. */
const toleranceMs = 50;

/** Undefined when it is no time, or none of this command: without a zone, it may be of here or of Greenwich. */
export function readTimestamp(written: string, command: CommandTime): Began | undefined {
  const [, day, time, fraction = '', zone] = pattern.exec(written.trim()) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const precisionMs = fraction.length >= 3 ? 1 : 10 ** (3 - fraction.length);
  const ms = fraction === '' ? 0 : Math.floor(Number(`0.${fraction}`) * 1_000);
  const zones =
    zone === undefined ? ['Z', ''] : [zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone];
  for (const candidate of zones) {
    const earliest = Date.parse(`${day}T${time}${candidate}`) + ms;
    const isOfCommand =
      earliest + precisionMs >= command.startedAt - toleranceMs && earliest <= command.endedAt + toleranceMs;
    if (isOfCommand) return { earliest, latest: earliest + precisionMs };
  }
  return undefined;
}
