/** Measures several contestants in interleaved rounds, so that a busy machine is busy for all of them, and compares the medians. */

/** What one contestant scored in one round. */
export type Scores = Readonly<Record<string, number>>;

export interface Contestant {
  readonly name: string;
  measure(): Promise<Scores>;
}

export interface SideBySide {
  readonly names: readonly string[];
  readonly metrics: readonly string[];
  /** The median over the rounds; NaN for a contestant that has no such score. */
  median(name: string, metric: string): number;
  /** The median over the rounds of one contestant's score divided by the other's score of the same round. */
  ratio(metric: string, name: string, other: string): number;
}

/** One round that does not count, then the others; each round begins with another contestant. */
export async function sideBySide(rounds: number, contestants: readonly Contestant[]): Promise<SideBySide> {
  const played: Map<string, Scores>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const scores = await playRound(rotated(contestants, round));
    if (round > 0) played.push(scores);
  }
  const score = (scores: Map<string, Scores>, name: string, metric: string): number =>
    scores.get(name)?.[metric] ?? Number.NaN;
  return {
    names: contestants.map(({ name }) => name),
    metrics: [
      ...new Set(played.flatMap((scores) => [...scores.values()].flatMap((one) => Object.keys(one)))),
    ],
    median: (name, metric) => median(played.map((scores) => score(scores, name, metric))),
    ratio: (metric, name, other) =>
      median(played.map((scores) => score(scores, name, metric) / score(scores, other, metric))),
  };
}

/** A readable table: one line for each metric, one column for each contestant. */
export function formatSideBySide(result: SideBySide): string {
  const rows = [
    ['', ...result.names],
    ...result.metrics.map((metric) => [
      metric,
      ...result.names.map((name) => number(result.median(name, metric))),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

async function playRound(contestants: readonly Contestant[]): Promise<Map<string, Scores>> {
  const scores = new Map<string, Scores>();
  for (const { name, measure } of contestants) scores.set(name, await measure());
  return scores;
}

function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

function number(value: number): string {
  if (Number.isNaN(value)) return '–';
  return value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
