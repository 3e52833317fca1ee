/** Judges the checks without an observer: they use the whole journal, and the verdicts of other checks. */
import { looksAtEdge } from '../../kernel/edge-name.ts';
import type { AttemptView } from '../attempt-view.ts';
import type { Blame } from '../blame/blame.ts';
import { whatWentWrong } from '../blame/what-went-wrong.ts';
import type { AgreeQuery, BlameQuery, CorrelateQuery, OrderQuery } from '../derived-queries.ts';
import type { CheckRecord } from '../trial-record.ts';
import type { CheckVerdict } from '../verdict.ts';
import { type Finding, unknown } from './finding.ts';
import { judgeAgree } from './judge-agree.ts';
import { judgeCorrelate } from './judge-correlate.ts';
import { judgeOrder } from './judge-order.ts';

/** `others` are the verdicts of the checks with an observer. */
export function judgeDerived(
  check: CheckRecord,
  view: AttemptView,
  others: readonly CheckVerdict[],
): CheckVerdict {
  const { id, title, line } = check;
  return { id, ...(title === undefined ? {} : { title }), line, ...judgeByKind(check, view, others) };
}

function judgeByKind(check: CheckRecord, view: AttemptView, others: readonly CheckVerdict[]): Finding {
  if (view.ended?.end !== 'done')
    return unknown(check.source, 'the attempt ended before the check was sampled');
  const query: unknown = check.query;
  if (check.kind === 'agree') return judgeAgree(query as AgreeQuery, view, others);
  if (check.kind === 'order') return judgeOrder(query as OrderQuery, view);
  if (check.kind === 'correlate') return judgeCorrelate(check, query as CorrelateQuery, view);
  return judgeBlame(query as BlameQuery, view);
}

/** `blame`: what went wrong in the attempt must be blamed on the party that the check names. */
function judgeBlame({ party, edge, rule }: BlameQuery, view: AttemptView): Finding {
  const expected = [
    `${party} is to blame`,
    ...(edge === undefined ? [] : [`on ${edge}`]),
    ...(rule === undefined ? [] : [`by rule ${rule}`]),
  ].join(' ');
  const blame = whatWentWrong(view);
  if (!blame) return { verdict: 'failed', expected, observed: 'nothing went wrong', evidence: [] };
  const isRight =
    blame.party === party &&
    (edge === undefined || isAt(edge, blame)) &&
    (rule === undefined || blame.rule === rule);
  const where = blame.edge === undefined ? '' : ` on ${blame.edge}`;
  return {
    verdict: isRight ? 'passed' : 'failed',
    expected,
    observed: `${blame.party}${where}, by rule ${blame.rule}: ${blame.because}`,
    evidence: blame.evidence,
  };
}

/** A service is all of its listeners. */
function isAt(edge: string, blame: Blame): boolean {
  const [from = '', to = ''] = edge.split(' -> ');
  return blame.edge !== undefined && looksAtEdge([blame.edge], { from, to });
}
