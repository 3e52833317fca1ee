/** Everything that is not as it was when the trial passed, calls first. What may be there or not, and what recurs, is left out. */
import { outside } from '../../../journal/topology.ts';
import { nameOf, type SeenCall } from '../../seen-call.ts';
import { type AlignedCalls, alignCalls, type CallPair, edgeName, isSameRequest } from './align-calls.ts';
import type { Comparison } from './compare-values.ts';
import type { TracedDigest } from './digest-of.ts';
import type { Divergence } from './divergence.ts';
import type { GreenCall, GreenDigest } from './green-digest.ts';
import { tellDifference } from './tell-difference.ts';

/** What a compared run was: whether it was performed to its end decides what may be missing. */
export interface CompareContext {
  readonly green: GreenDigest;
  readonly now: TracedDigest;
  readonly isWhole: boolean;
}

export function callDivergences(context: CompareContext): readonly Divergence[] {
  const aligned = alignCalls(context.green.calls, context.now.digest.calls);
  return [
    ...aligned.pairs.flatMap((pair) => pairDivergences(pair, context)),
    ...aligned.extra.flatMap((place) => extraDivergence(place, aligned, context)),
    ...aligned.missing.flatMap((place) => missingDivergence(place, aligned, context)),
  ];
}

function pairDivergences(pair: CallPair, { green, now }: CompareContext): readonly Divergence[] {
  const was = green.calls[pair.was] as GreenCall;
  const is = now.digest.calls[pair.is] as GreenCall;
  const call = now.calls[pair.is] as SeenCall;
  const base = { edge: edgeName(is), seqs: [call.seq] };
  const requests: Divergence[] =
    pair.request.likeness === 'same'
      ? []
      : [
          {
            ...base,
            party: is.from,
            to: [is.to],
            sure: pair.request.likeness === 'differs',
            sentAt: is.began,
            mattersAt: is.began,
            sentThen: was.began,
            matteredThen: was.began,
            text: `the request of ${nameOf(call)} ${told(pair.request)}`,
          },
        ];
  return [...requests, ...answerDivergence(pair.answer, was, is, call)];
}

/** Who is asked something else may answer something else: its request is an input like any other. */
function answerDivergence(
  answer: Comparison,
  was: GreenCall,
  is: GreenCall,
  call: SeenCall,
): readonly Divergence[] {
  if (answer.likeness === 'same') return [];
  // Somebody hung up, and nobody saw who; only we ourselves are known to wait, if we were given the time.
  const isCut = call.call.incomplete === 'cut' || call.call.incomplete === 'cancelled';
  const isHungUp = isCut && (is.from !== outside || is.ended - is.began < leastWaitMs);
  return [
    {
      edge: edgeName(is),
      seqs: [call.seq],
      party: isHungUp ? null : is.to,
      to: isHungUp ? [is.from, is.to] : [is.from],
      sure: answer.likeness === 'differs' && !isHungUp,
      sentAt: is.ended,
      // The answer may have mattered from its first byte on.
      mattersAt: is.began,
      sentThen: was.ended,
      matteredThen: was.began,
      text: `the answer to ${nameOf(call)} ${told(answer)}`,
    },
  ];
}

const leastWaitMs = 2_000;
const slackMs = 250;

function extraDivergence(
  place: number,
  aligned: AlignedCalls,
  context: CompareContext,
): readonly Divergence[] {
  const { green, now } = context;
  const is = now.digest.calls[place] as GreenCall;
  const call = now.calls[place] as SeenCall;
  const known = green.calls.filter((candidate) => isSameRequest(candidate, is));
  const isRepeat = known.length > 0;
  const isNested = countsDiffer(is, now.digest.calls, green.calls, aligned, 'is');
  if (is.optional) return [];
  // One more of the same may be noise, and may be what mattered to whoever got it.
  const isVague = isRepeat && !isNested && !isCounted(known, green);
  const isLate = is.began > green.durationMs + slackMs;
  return [
    {
      party: is.from,
      to: [is.to],
      sure: !isLate && !isVague,
      sentAt: is.began,
      mattersAt: is.began,
      edge: edgeName(is),
      seqs: [call.seq],
      text: isRepeat
        ? `${nameOf(call)} repeats what was asked ${known.length === 1 ? 'once' : `${known.length} times`} then`
        : `${nameOf(call)}, ${is.name}, was not there then`,
    },
  ];
}

function missingDivergence(
  place: number,
  aligned: AlignedCalls,
  context: CompareContext,
): readonly Divergence[] {
  const { green, now, isWhole } = context;
  const was = green.calls[place] as GreenCall;
  if (was.optional) return [];
  const known = now.digest.calls.filter((candidate) => isSameRequest(was, candidate));
  const isNested = countsDiffer(was, green.calls, now.digest.calls, aligned, 'was');
  const isVague = !isNested && (!isWhole || (known.length > 0 && !isCounted([was], green)));
  return [
    {
      party: was.from,
      to: [was.to],
      sure: !isVague,
      sentThen: was.began,
      matteredThen: was.began,
      edge: edgeName(was),
      seqs: [],
      text: `${was.from} did not ask ${was.to} for ${was.name} as it did then`,
    },
  ];
}

/** A number that was the same in several runs is no accident. */
function isCounted(known: readonly GreenCall[], { runs }: GreenDigest): boolean {
  return runs >= 3 && known.every(({ optional }) => !optional);
}

/** Whether, within the one call that its sender was serving, there are more of it than in the call that stands beside that one. */
function countsDiffer(
  one: GreenCall,
  here: readonly GreenCall[],
  there: readonly GreenCall[],
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
  const count = (calls: readonly GreenCall[], around: GreenCall): number =>
    calls.filter((call) => serves(around, call) && isSameRequest(call, one)).length;
  return count(here, own) > count(there, beside);
}

function serves(outer: GreenCall, inner: GreenCall): boolean {
  return outer.to === inner.from && inner.began >= outer.began && inner.began <= outer.ended;
}

function told(compared: Comparison): string {
  if (compared.likeness === 'unsure') return 'cannot be compared with then: it was too large to be kept';
  return `has ${tellDifference(compared, 'had')}`;
}
