/** Every difference from the passing runs, calls first. What is optional, and what recurs, is omitted. */
import { outside } from '../../../journal/topology.ts';
import { defined } from '../../../kernel/defined.ts';
import { edgeOf } from '../../../kernel/edge-name.ts';
import { nameOf, type SeenCall } from '../../seen-call.ts';
import { type AlignedCalls, alignCalls, type CallPair, isSameRequest } from './align-calls.ts';
import { type Comparison, formatDifference } from './compare-values.ts';
import type { TracedDigest } from './digest-of.ts';
import type { Divergence } from './divergence.ts';
import type { ReferenceCall, ReferenceDigest } from './reference-digest.ts';

/** The compared runs: whether this one was performed to its end decides what may be missing. */
export interface CompareContext {
  readonly reference: ReferenceDigest;
  readonly now: TracedDigest;
  readonly isWhole: boolean;
}

export function callDivergences(context: CompareContext): readonly Divergence[] {
  const aligned = alignCalls(context.reference.calls, context.now.digest.calls);
  return [
    ...aligned.pairs.flatMap((pair) => pairDivergences(pair, context)),
    ...aligned.extra.flatMap((place) => extraDivergence(place, aligned, context)),
    ...aligned.missing.flatMap((place) => missingDivergence(place, aligned, context)),
  ];
}

function pairDivergences(pair: CallPair, { reference, now }: CompareContext): readonly Divergence[] {
  const was = reference.calls[pair.was] as ReferenceCall;
  const is = now.digest.calls[pair.is] as ReferenceCall;
  const call = now.calls[pair.is] as SeenCall;
  const answer = answerDivergence(pair.answer, was, is, call);
  if (pair.request.likeness === 'same') return answer;
  const request = {
    party: is.from,
    to: [is.to],
    sure: pair.request.likeness === 'differs',
    ...{ sentAt: is.began, mattersAt: is.began, sentThen: was.began, matteredThen: was.began },
    edge: edgeOf(is),
    text: `the request of ${nameOf(call)} ${describe(pair.request)}`,
    seqs: [call.seq],
    ...defined({ about: is.about }),
  };
  return [request, ...answer];
}

/** A party that receives a different request may answer differently: its request is an input like any other. */
function answerDivergence(
  answer: Comparison,
  was: ReferenceCall,
  is: ReferenceCall,
  call: SeenCall,
): readonly Divergence[] {
  if (answer.likeness === 'same') return [];
  // The connection was closed by an unknown side; only we are known to wait, if given the time.
  const isCut = call.call.incomplete === 'cut' || call.call.incomplete === 'cancelled';
  const isHungUp = isCut && (is.from !== outside || is.ended - is.began < leastWaitMs);
  return [
    {
      edge: edgeOf(is),
      seqs: [call.seq],
      party: isHungUp ? null : is.to,
      to: isHungUp ? [is.from, is.to] : [is.from],
      sure: answer.likeness === 'differs' && !isHungUp,
      sentAt: is.ended,
      // The answer may have mattered from its first byte on.
      mattersAt: is.began,
      sentThen: was.ended,
      matteredThen: was.began,
      text: `the answer to ${nameOf(call)} ${describe(answer)}`,
      ...defined({ about: is.about }),
    },
  ];
}

const leastWaitMs = 2_000;
const slackMs = 250;

function extraDivergence(
  place: number,
  aligned: AlignedCalls,
  { reference, now }: CompareContext,
): readonly Divergence[] {
  const is = now.digest.calls[place] as ReferenceCall;
  const call = now.calls[place] as SeenCall;
  const known = reference.calls.filter((candidate) => isSameRequest(candidate, is));
  const isRepeat = known.length > 0;
  const isNested = countsDiffer(is, now.digest.calls, reference.calls, aligned, 'is');
  if (is.optional) return [];
  // A repetition may be noise, or may have affected its receiver.
  const isVague = isRepeat && !isNested && !isCounted(known, reference);
  const isLate = is.began > reference.durationMs + slackMs;
  return [
    {
      party: is.from,
      to: [is.to],
      sure: !isLate && !isVague,
      sentAt: is.began,
      mattersAt: is.began,
      edge: edgeOf(is),
      seqs: [call.seq],
      ...defined({ about: is.about }),
      text: isRepeat
        ? `${nameOf(call)} repeats a call that was made ${known.length === 1 ? 'once' : `${known.length} times`} in the passing run`
        : `${nameOf(call)}, ${is.name}, was not in the passing run`,
    },
  ];
}

function missingDivergence(
  place: number,
  aligned: AlignedCalls,
  { reference, now, isWhole }: CompareContext,
): readonly Divergence[] {
  const was = reference.calls[place] as ReferenceCall;
  if (was.optional) return [];
  const known = now.digest.calls.filter((candidate) => isSameRequest(was, candidate));
  const isNested = countsDiffer(was, reference.calls, now.digest.calls, aligned, 'was');
  const isVague = !isNested && (!isWhole || (known.length > 0 && !isCounted([was], reference)));
  return [
    {
      party: was.from,
      to: [was.to],
      sure: !isVague,
      sentThen: was.began,
      matteredThen: was.began,
      edge: edgeOf(was),
      seqs: [],
      ...defined({ about: was.about }),
      text: `${was.from} did not ask ${was.to} for ${was.name} as in the passing run`,
    },
  ];
}

/** A count that was the same in several runs is not an accident. */
function isCounted(known: readonly ReferenceCall[], { runs }: ReferenceDigest): boolean {
  return runs >= 3 && known.every(({ optional }) => !optional);
}

/** Whether the call that its sender was serving contains more of it than the counterpart of that call. */
function countsDiffer(
  one: ReferenceCall,
  here: readonly ReferenceCall[],
  there: readonly ReferenceCall[],
  { pairs }: AlignedCalls,
  side: 'was' | 'is',
): boolean {
  const outer = here.flatMap((call, place) => (serves(call, one) ? [place] : []));
  const [only] = outer;
  if (only === undefined || outer.length > 1) return false;
  const pair = pairs.find((candidate) => candidate[side] === only);
  const beside = pair && there[side === 'is' ? pair.was : pair.is];
  const own = here[only];
  if (!beside || !own || beside.answer === null || own.answer === null) return false;
  const count = (calls: readonly ReferenceCall[], around: ReferenceCall): number =>
    calls.filter((call) => serves(around, call) && isSameRequest(call, one)).length;
  return count(here, own) > count(there, beside);
}

function serves(outer: ReferenceCall, inner: ReferenceCall): boolean {
  return outer.to === inner.from && inner.began >= outer.began && inner.began <= outer.ended;
}

function describe(compared: Comparison): string {
  if (compared.likeness === 'unsure')
    return 'cannot be compared with the passing run: it was too large to be kept';
  return `has ${formatDifference(compared, 'had')}`;
}
