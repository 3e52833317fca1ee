/** Waits until every edge is idle, so that a late effect belongs to the trial that caused it. */
import { unlessAborted } from '../../kernel/until-aborted.ts';
import type { Attempt } from './attempt.ts';

export interface Quiet {
  readonly quiet: boolean;
  readonly waitedMs: number;
  /** Edges that were still busy. */
  readonly busy: readonly string[];
}

export async function reachQuiet(attempt: Attempt, settleMs: number, withinMs: number): Promise<Quiet> {
  const { ask } = attempt.stage;
  const asked = ask('quiet', { settleMs, withinMs });
  asked.catch(() => 'whoever waits for it hears of it');
  const answer = await unlessAborted(attempt.signal, asked);
  if (answer === undefined) return { quiet: false, waitedMs: 0, busy: [] };
  const { quiet, waitedMs, busy } = answer;
  const told = { quiet, waitedMs, busy: busy.map(({ from, to }) => `${from} -> ${to}`) };
  attempt.journal.emit({ type: 'quiet', ...told });
  return told;
}
