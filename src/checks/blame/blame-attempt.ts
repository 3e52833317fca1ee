/** `blameAttempt`: who is to blame for an attempt that failed, by ordered rules. A wrong name is far worse than none. Pure. */
import { outside } from '../../journal/topology.ts';
import type { AttemptView } from '../attempt-view.ts';
import { spentBudget } from '../judge-scripts.ts';
import type { CheckVerdict } from '../verdict.ts';
import type { Blame } from './blame.ts';
import type { GreenDigest } from './green/green-digest.ts';
import { isDigest } from './green/is-digest.ts';
import { involvedParties } from './involved-parties.ts';
import { blameRung } from './ladder.ts';
import { blameDeath } from './rule-died.ts';
import { compareWithGreen, type Divergent } from './rule-divergence.ts';
import { blameIllegal } from './rule-illegal.ts';
import { blameComplaint, blameOwnFailure } from './rule-own-failure.ts';
import { blameRelay } from './rule-relay.ts';
import { blameSilence } from './rule-silent.ts';
import { blameUnknown } from './rule-unknown.ts';
import { blameUnreachable } from './rule-unreachable.ts';
import { trafficOf } from './traffic.ts';

/**
 * `green` is what is known from runs of the same trial that passed; `usualElsewhere` are faults that were seen in other trials that
 * passed. Null when nothing failed.
 */
export function blameAttempt(
  view: AttemptView,
  verdicts: readonly CheckVerdict[],
  green?: GreenDigest,
  usualElsewhere: readonly string[] = [],
): Blame | null {
  if (!hasFailed(view, verdicts) || spentBudget(view)) return null;
  const traffic = trafficOf(view);
  const known = isDigest(green) ? green : undefined;
  const divergent = known && compareWithGreen(traffic, verdicts, known);
  const usual = new Set([...(known?.usual ?? []), ...usualElsewhere]);
  const candidates = [
    () => blameDeath(traffic),
    () => blameRung(view, verdicts),
    () => blameUnreachable(traffic, usual),
    () => blameSilence(traffic, verdicts),
    () => blameIllegal(traffic, usual),
    () => blameOwnFailure(traffic, usual),
    () => blameComplaint(traffic, verdicts),
    () => blameRelay(traffic, usual),
    () => divergent?.blame,
  ];
  const involved = involvedParties(view, verdicts);
  // Whoever performs the trial, and the peers that we play for it, did what the trial says.
  const isSuspect = (party: string | null): boolean =>
    party !== null && party !== outside && !traffic.isPlayed(party) && involved.has(party);
  for (const candidate of candidates) {
    const blame = candidate();
    if (!blame || !isSuspect(blame.party)) continue;
    return isContradicted(blame, divergent)
      ? blameUnknown(traffic, divergent, contradiction(blame, divergent))
      : blame;
  }
  return blameUnknown(traffic, divergent);
}

function hasFailed({ ended }: AttemptView, verdicts: readonly CheckVerdict[]): boolean {
  const badEnds = ['timeout', 'step-failed', 'flow-failed'];
  return (
    verdicts.some(({ verdict }) => verdict === 'failed') ||
    (ended !== undefined && badEnds.includes(ended.end))
  );
}

/** It misbehaved, but only after it had got something that it never got before, from somebody else. */
function isContradicted({ party, rule }: Blame, divergent: Divergent | undefined): boolean {
  if (rule === 4 || rule === 'ladder' || party === null || !divergent?.affected.has(party)) return false;
  return divergent.blame !== undefined && divergent.blame.party !== party;
}

function contradiction({ party, because }: Blame, divergent: Divergent | undefined): string {
  return `${party} misbehaved (${because}), but ${divergent?.blame?.party} had sent something else than when the trial passed`;
}
