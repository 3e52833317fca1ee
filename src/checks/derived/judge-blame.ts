/** `blame`: what went wrong in the attempt must be blamed on the party that the check names. */
import type { AttemptView } from '../attempt-view.ts';
import { whatWentWrong } from '../blame/what-went-wrong.ts';
import type { BlameQuery } from '../derived-queries.ts';
import type { Finding } from './finding.ts';

export function judgeBlame({ party, edge, rule }: BlameQuery, view: AttemptView): Finding {
  const expected = [
    `${party} is to blame`,
    ...(edge === undefined ? [] : [`on ${edge}`]),
    ...(rule === undefined ? [] : [`by rule ${rule}`]),
  ].join(' ');
  const blame = whatWentWrong(view);
  if (!blame) return { verdict: 'failed', expected, observed: 'nothing went wrong', evidence: [] };
  const isRight =
    blame.party === party &&
    (edge === undefined || blame.edge === edge) &&
    (rule === undefined || blame.rule === rule);
  const where = blame.edge === undefined ? '' : ` on ${blame.edge}`;
  return {
    verdict: isRight ? 'passed' : 'failed',
    expected,
    observed: `${blame.party}${where}, by rule ${blame.rule}: ${blame.because}`,
    evidence: blame.evidence,
  };
}
