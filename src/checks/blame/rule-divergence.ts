/** Rule 4, first divergence: the one party whose input was as when the trial passed, and whose output was not. */

import { outside } from '../../journal/topology.ts';
import { clipText } from '../../patterns/print-value.ts';
import type { AttemptView } from '../attempt-view.ts';
import { logGateId } from '../judge-logs.ts';
import { isStepCheck } from '../judge-steps.ts';
import { nameOf, type SeenCall } from '../seen-call.ts';
import type { CheckVerdict } from '../verdict.ts';
import type { Blame } from './blame.ts';
import { alignCalls } from './green/align-calls.ts';
import { digestTraffic } from './green/digest-of.ts';
import { type Divergence, type Origins, originsOf } from './green/divergence.ts';
import { type CompareContext, callDivergences } from './green/find-divergences.ts';
import { enoughRuns, type GreenDigest } from './green/green-digest.ts';
import { findMixedIds } from './green/mixed-ids.ts';
import { outputDivergences, preparedDivergences } from './green/output-divergences.ts';
import { checkOutputName, hasHiddenInput, logOutputName } from './green/outputs-of.ts';
import type { Traffic } from './traffic.ts';

export interface Divergent {
  /** Set where exactly one service, or job, began it. */
  readonly blame?: Blame;
  /** Why nobody can be named; absent where somebody is. */
  readonly why?: string;
  /** Parties that got something else than when the trial passed. */
  readonly affected: ReadonlySet<string>;
}

export function compareWithGreen(
  traffic: Traffic,
  verdicts: readonly CheckVerdict[],
  green: GreenDigest,
): Divergent {
  const none = new Set<string>();
  const now = digestTraffic(traffic);
  const { digest } = now;
  if (green.version !== 1 || green.of !== digest.of)
    return { why: 'the trial, or the system around it, was another one when it passed last', affected: none };
  if (green.cut || digest.cut)
    return { why: 'too much passed to be compared with the run that passed', affected: none };
  const context: CompareContext = { green, now, isWhole: traffic.view.ended?.end === 'done' };
  const failed = verdicts.filter(
    ({ verdict, id }) =>
      verdict === 'failed' && Object.hasOwn(green.held, id) && green.held[id] === digest.held[id],
  );
  if (failed.length === 0)
    return { why: 'what failed was not checked, or otherwise, when the trial passed', affected: none };
  const found = [
    ...callDivergences(context),
    ...outputDivergences(
      context,
      failed.map(({ id }) => id),
      traffic,
    ),
    ...preparedDivergences(context, traffic),
  ];
  const affected = new Set(found.flatMap(({ to }) => to));
  if (!found.some(({ sure }) => sure))
    return { ...(mixUp(context, traffic) ?? nothingElse(failed)), affected };
  return { ...rootOf(found, failed, traffic, green.runs >= enoughRuns), affected };
}

/** The first failed check that shows a divergence, followed back to where it began; without one, all of them. */
function rootOf(
  found: readonly Divergence[],
  failed: readonly CheckVerdict[],
  traffic: Traffic,
  isNoiseKnown: boolean,
): Omit<Divergent, 'affected'> {
  const shown = failed
    .map(({ id }) => found.filter((one) => isSeenBy(id, one, traffic.view)))
    .filter((some) => some.length > 0);
  const begun = [...shown, ...(isNoiseKnown ? [found.filter(({ sure }) => sure)] : [])];
  const answers = begun.map((some) => {
    const origins = originsOf(some, found, traffic.isPlayed);
    // What a failed check shows differs for certain; where that came of something else, the something may be noise.
    const isShown = origins.roots.every((root) => some.includes(root));
    return isNoiseKnown || isShown ? fromOrigins(origins, traffic) : { why: tooFew };
  });
  return answers.find(({ blame }) => blame) ?? answers[0] ?? { why: tooFew };
}

const tooFew = `what differs from the runs that passed may be noise: that is known from ${enoughRuns} of them on`;

function fromOrigins({ roots, isDoubtful }: Origins, traffic: Traffic): Omit<Divergent, 'affected'> {
  const [first] = roots;
  const parties = [...new Set(roots.map(({ party }) => party))];
  if (!first) return { why: 'everything that differs may have come of something else that differs' };
  const { party, text } = first;
  if (parties.length > 1)
    return {
      why: `several began to differ from the run that passed: ${parties.map((name) => name ?? 'somebody').join(', ')}`,
    };
  if (party === null) return { why: `${text}, and nobody saw who did it` };
  if (isDoubtful)
    return { why: `${party} may have begun to differ, but not everything can be compared: ${text}` };
  const kind = traffic.kindOf(party);
  if (kind !== 'service' && kind !== 'job')
    return { why: `${party} began to differ from the run that passed: ${text}` };
  if (hasHiddenInput(party, traffic))
    return { why: `${party} began to differ, but not everything that it gets is seen: ${text}` };
  return { blame: toBlame(party, roots) };
}

/** What failed held then, so that at least this differs. */
function nothingElse([failed]: readonly CheckVerdict[]): Pick<Divergent, 'why'> {
  const { id = '', observed = '' } = failed ?? {};
  return {
    why: `what passed on the edges is as it was when the trial passed; only \`${id}\`, which held then, observed ${clipText(observed)}`,
  };
}

/** Whether a check shows this very divergence. */
function isSeenBy(id: string, { output, edge, party, to }: Divergence, view: AttemptView): boolean {
  if (output !== undefined)
    return output === logOutputName
      ? id === logGateId
      : output === id || output === checkOutputName(id) || output === `${checkOutputName(id)} ${party}`;
  const check = view.checks.find((one) => one.id === id);
  if (check?.kind === 'calls') return `${check.query.from} -> ${check.query.to}` === edge;
  if (!isStepCheck(id) && check?.kind !== 'exchange') return false;
  const name = check?.kind === 'exchange' ? check.query.exchange : id.slice('step '.length);
  // Of a flow nobody knows beforehand whom a step speaks to.
  const asked = view.record.steps.find((one) => one.name === name)?.to;
  return to.includes(outside) && (asked === undefined || asked === party);
}

function toBlame(party: string, roots: readonly Divergence[]): Blame {
  const first = roots.reduce((earliest, root) =>
    (root.sentAt ?? Number.POSITIVE_INFINITY) < (earliest.sentAt ?? Number.POSITIVE_INFINITY)
      ? root
      : earliest,
  );
  return {
    party,
    ...(first.edge === undefined ? {} : { edge: first.edge }),
    rule: 4,
    because: `it got what it got when the trial passed, and did something else: ${first.text}`,
    evidence: [...new Set(roots.flatMap(({ seqs }) => seqs))],
  };
}

/** Nothing differs but ids: then perhaps one stands where another belongs. */
function mixUp({ green, now }: CompareContext, traffic: Traffic): Pick<Divergent, 'blame'> | undefined {
  if (green.runs < enoughRuns || green.looseLinks) return undefined;
  const mixed = findMixedIds(alignCalls(green.calls, now.digest.calls), now.digest.calls);
  if (!mixed || traffic.kindOf(mixed.party) !== 'service' || hasHiddenInput(mixed.party, traffic))
    return undefined;
  const call = now.calls[mixed.place] as SeenCall;
  return {
    blame: {
      party: mixed.party,
      edge: call.edge,
      rule: 4,
      because: `it mixed up ids: ${mixed.isAnswer ? 'the answer to' : 'the request of'} ${nameOf(call)} has ${mixed.id}, where ${mixed.expected} belongs`,
      evidence: [call.seq],
    },
  };
}
