/** Waits until every edge is idle, so that a late effect belongs to the trial that caused it. */
import { edgeOf } from '../../kernel/edge-name.ts';
import { unlessAborted } from '../../kernel/until-aborted.ts';
import type { Attempt } from './attempt.ts';

export interface Quiet {
  readonly quiet: boolean;
  readonly waitedMs: number;
  /** Edges that were still busy. */
  readonly busy: readonly string[];
  readonly busyBytes?: readonly number[];
  readonly unwatched?: readonly string[];
}

export async function reachQuiet(
  attempt: Attempt,
  settleMs: number,
  withinMs: number,
  unusedMs = 0,
): Promise<Quiet> {
  const { ask } = attempt.environment;
  const asked = ask('quiet', { settleMs, withinMs, unusedMs, since: attempt.beganAt });
  asked.catch(() => undefined); // whoever waits for it hears of it
  const answer = await unlessAborted(attempt.signal, asked);
  if (answer === undefined) return { quiet: false, waitedMs: 0, busy: [] };
  const { quiet, waitedMs, busy, unwatched } = answer;
  const reached = {
    quiet,
    waitedMs,
    busy: busy.map(edgeOf),
    ...(busy.length === 0 ? {} : { busyBytes: busy.map(({ bytes }) => bytes) }),
    ...(unwatched.length === 0 ? {} : { unwatched: unwatched.map(edgeOf) }),
  };
  attempt.journal.emit({ type: 'quiet', ...reached });
  return reached;
}
