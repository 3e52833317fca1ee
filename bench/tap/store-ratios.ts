/** What is compared of the ways to a store. */
import type { Aim, BenchResult } from '../run.ts';
import type { SideBySide } from '../side-by-side.ts';

export type StoreMeasured = Pick<BenchResult, 'table' | 'ratios' | 'peersAbsent'>;

/** No statement may be slowed by more than a tenth by being read. How fast a pipeline can be read is reported without an aim. */
export const storeAims: Readonly<Record<string, Aim>> = Object.fromEntries(
  [
    ...['Simple', 'Extended', 'Prepared'].flatMap((form) => [
      `postgres${form}Selects`,
      `postgres${form}Inserts`,
    ]),
    ...['redisSets', 'redisGets'],
  ].map((name) => [`${name}PerSecondReadingVsTap`, { atLeast: 0.9 }]),
);

/** Such as `redisGetsPerSecondReadingVsTap`: what reading costs, what reading and writing down cost, and what the tap itself costs. */
export function storeRatios(result: SideBySide): Record<string, number> {
  const pairs = [
    ['reading', 'tap'],
    ['journalling', 'tap'],
    ['tap', 'direct'],
  ] as const;
  const all = result.metrics.flatMap((metric) =>
    pairs.map(([way, other]) => [
      `${metric}${capital(way)}Vs${capital(other)}`,
      result.ratio(metric, way, other),
    ]),
  );
  return Object.fromEntries(all);
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
