/** Waits until every edge is idle, so that a late effect belongs to the trial that caused it. */
import type { Attempt } from './attempt.ts';

export interface Quiet {
  readonly quiet: boolean;
  readonly waitedMs: number;
  /** Edges that were still busy. */
  readonly busy: readonly string[];
}

export async function reachQuiet(attempt: Attempt, settleMs: number, withinMs: number): Promise<Quiet> {
  const { ask } = attempt.stage;
  const { quiet, waitedMs, busy } = await ask('quiet', { settleMs, withinMs });
  const told = { quiet, waitedMs, busy: busy.map(({ from, to }) => `${from} -> ${to}`) };
  attempt.journal.emit({ type: 'quiet', ...told });
  return told;
}
