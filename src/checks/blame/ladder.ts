/** A ladder asks the same thing at every level, bottom up: the first rung that fails names the party to blame. */
import type { AttemptView } from '../attempt-view.ts';
import { stepCheckId } from '../judge-steps.ts';
import type { CheckVerdict } from '../verdict.ts';
import type { Blame } from './blame.ts';

/** Undefined if no rung failed, or if one below is unknown; `held` are the rungs below, which all held. */
export function firstFailedRung({ record }: AttemptView, verdicts: readonly CheckVerdict[]) {
  const held: string[] = [];
  for (const { name, rung } of record.steps) {
    if (!rung) continue;
    const verdict = verdicts.find(({ id }) => id === stepCheckId(name));
    if (verdict?.verdict === 'failed') return { rung, verdict, held };
    if (verdict && verdict.verdict !== 'passed') return undefined;
    held.push(rung.name);
  }
  return undefined;
}

export function blameRung(view: AttemptView, verdicts: readonly CheckVerdict[]): Blame | undefined {
  const failed = firstFailedRung(view, verdicts);
  if (!failed) return undefined;
  const { rung, verdict, held } = failed;
  const below = held.length === 0 ? 'nothing is below it' : `${held.join(', ')} held`;
  return {
    party: rung.party,
    rule: 'ladder',
    because: `first failing rung: ${rung.name}; ${below}`,
    evidence: verdict.evidence,
  };
}
