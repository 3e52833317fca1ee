/** Every difference from the passing runs, calls first. What is optional, and what recurs, is omitted. */
import { outside } from '../../../journal/topology.ts';
import { defined } from '../../../kernel/defined.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { nameOf, type SeenCall } from '../../seen-call.ts';
import { type AlignedCalls, type CallPair, isSameRequest } from './align-calls.ts';
import { type Comparison, compareValues, formatDifference } from './compare-values.ts';
import type { TracedDigest } from './digest-of.ts';
import type { Divergence } from './divergence.ts';
import { findMixedIds, type MixedId } from './mixed-ids.ts';
import { edgeIn, enoughRuns, type ReferenceCall, type ReferenceDigest } from './reference-digest.ts';

/** The compared runs: whether this one was performed to its end decides what may be missing. */
export interface CompareContext {
  readonly reference: ReferenceDigest;
  readonly now: TracedDigest;
  readonly aligned: AlignedCalls;
  readonly isWhole: boolean;
}

export function callDivergences(context: CompareContext): readonly Divergence[] {
  const { aligned, reference, now } = context;
  const mixed = reference.runs < enoughRuns ? [] : findMixedIds(aligned, reference.calls, now.digest.calls);
  return [
    ...aligned.pairs.flatMap((pair) =>
      pairDivergences(
        pair,
        mixed.filter(({ place }) => place === pair.is),
        context,
      ),
    ),
    ...aligned.extra.flatMap((place) => extraDivergence(place, context)),
    ...aligned.missing.flatMap((place) => missingDivergence(place, context)),
  ];
}

function pairDivergences(
  pair: CallPair,
  mixed: readonly MixedId[],
  { reference, now }: CompareContext,
): readonly Divergence[] {
  const was = reference.calls[pair.was] as ReferenceCall;
  const is = now.digest.calls[pair.is] as ReferenceCall;
  const call = now.calls[pair.is] as SeenCall;
  const difference = (compared: Comparison, isAnswer: boolean): Difference | undefined => {
    const wrongId = mixed.find((one) => one.isAnswer === isAnswer);
    if (compared.likeness === 'same' && wrongId) return { sure: wrongId.isSure, text: describeId(wrongId) };
    const { unkept, moved } = compared;
    if (moved !== undefined)
      return {
        sure: false,
        vague: true,
        text: `has the same at ${moved} in another order than in the passing run`,
      };
    if (compared.likeness === 'same') return undefined;
    return { sure: compared.likeness === 'differs', text: describe(compared), ...defined({ unkept }) };
  };
  const answer = answerDivergence(difference(pair.answer, true), was, is, call);
  const asked = difference(pair.request, false);
  if (!asked) return answer;
  const request = {
    ...asked,
    party: is.from,
    to: [is.to],
    ...{ sentAt: is.began, mattersAt: is.began, sentThen: was.began, matteredThen: was.began },
    edge: edgeIn(is),
    text: `the request of ${nameOf(call)} ${asked.text}`,
    seqs: [call.seq],
    ...defined({ about: is.about }),
  };
  return [request, ...answer];
}

type Difference = Pick<Divergence, 'sure' | 'text' | 'unkept' | 'vague'>;

/** A party that receives a different request may answer differently: its request is an input like any other. */
function answerDivergence(
  answer: Difference | undefined,
  was: ReferenceCall,
  is: ReferenceCall,
  call: SeenCall,
): readonly Divergence[] {
  if (!answer) return [];
  // The connection was closed by an unknown side; only we are known to wait, if given the time.
  const isCut = call.call.incomplete === 'cut' || call.call.incomplete === 'cancelled';
  const isHungUp = isCut && (is.from !== outside || is.ended - is.began < leastWaitMs);
  return [
    {
      ...answer,
      edge: edgeIn(is),
      seqs: [call.seq],
      party: isHungUp ? null : is.to,
      to: isHungUp ? [is.from, is.to] : [is.from],
      sure: answer.sure && !isHungUp,
      sentAt: is.ended,
      // The answer may have mattered from its first byte on.
      mattersAt: is.began,
      sentThen: was.ended,
      matteredThen: was.began,
      text: `${is.delivered ? 'what came with' : 'the answer to'} ${nameOf(call)} ${answer.text}`,
      ...defined({ about: is.about }),
    },
  ];
}

const leastWaitMs = 2_000;
const slackMs = 250;

function extraDivergence(place: number, context: CompareContext): readonly Divergence[] {
  const { aligned, reference, now } = context;
  const is = now.digest.calls[place] as ReferenceCall;
  const call = now.calls[place] as SeenCall;
  const known = reference.calls.filter((candidate) => isSameRequest(candidate, is));
  const isLate = is.began > reference.durationMs + slackMs && !isInTheMiddle(is, context);
  const common = { edge: edgeIn(is), seqs: [call.seq], ...defined({ about: is.about }) };
  if (is.delivered || is.optional)
    return newInput(is, call, known, isLate).map((one) => ({ ...one, ...common }));
  const isNested = countsDiffer(is, now.digest.calls, reference.calls, aligned, 'is');
  const [usual] = known;
  // A repetition may be noise, or may have affected its receiver.
  const isVague = usual !== undefined && !isNested && !isCounted(known, reference);
  const sent = { party: is.from, to: [is.to], sure: !isLate && !isVague };
  const repeats = (one: SeenCall): string =>
    `${nameOf(one)} repeats a call that was made ${known.length === 1 ? 'once' : `${known.length} times`} in the passing run`;
  const next = now.digest.calls.findLastIndex((one) => one.began > is.began && isSameRequest(one, is));
  const [retry, retried] = [now.digest.calls[next], now.calls[next]];
  // Answered as never before, it was the first try, and a later one is the repetition.
  if (usual && retry && retried && isNewAnswer(is, known)) {
    const answer = { sure: true, text: describe(compareValues(usual.answer, is.answer)) };
    return [
      ...answerDivergence(answer, usual, is, call),
      { ...common, ...sent, sentAt: retry.began, mattersAt: retry.began, text: repeats(retried) },
    ];
  }
  const text = usual ? repeats(call) : `${nameOf(call)}, ${is.name}, was not in the passing run`;
  return [{ ...common, ...sent, sentAt: is.began, mattersAt: is.began, text }];
}

/** Its sender did something afterwards that it always does. */
function isInTheMiddle({ from, began }: ReferenceCall, { aligned, now }: CompareContext): boolean {
  return aligned.pairs.some(({ is, request }) => {
    const call = now.digest.calls[is] as ReferenceCall;
    const isUsual = !call.optional && !call.delivered && request.likeness === 'same';
    return isUsual && call.from === from && call.began > began;
  });
}

/** A read more or less has no effect, unless it brought something that was not there before. */
function newInput(
  is: ReferenceCall,
  call: SeenCall,
  known: readonly ReferenceCall[],
  isLate: boolean,
): readonly Divergence[] {
  const isNew = isNewAnswer(is, known);
  // What was never asked for before was the reader's own idea.
  if (!is.delivered && (known.length === 0 || !isNew)) return [];
  const what = is.delivered
    ? `${nameOf(call)}, ${is.name}, brought ${isNew ? 'what did not come' : 'once more what came'} in the passing run`
    : `${nameOf(call)} brought an answer that it did not bring in the passing run`;
  return [
    {
      party: is.to,
      to: [is.from],
      sure: is.delivered === true && !isLate,
      ...(is.delivered ? {} : { vague: true }),
      sentAt: is.ended,
      mattersAt: is.began,
      text: what,
      seqs: [],
    },
  ];
}

function isNewAnswer({ answer }: ReferenceCall, known: readonly ReferenceCall[]): boolean {
  return known.every((one) => compareValues(one.answer, answer).likeness === 'differs');
}

function missingDivergence(
  place: number,
  { aligned, reference, now, isWhole }: CompareContext,
): readonly Divergence[] {
  const was = reference.calls[place] as ReferenceCall;
  const common = {
    ...{ sentThen: was.began, matteredThen: was.began, edge: edgeIn(was), seqs: [] },
    edgeUnsaid: true as const,
    ...defined({ about: was.about }),
  };
  if (was.optional) {
    const text = `no answer to ${was.from} brought what it got by ${was.name} in the passing run`;
    const lost = {
      ...common,
      party: was.to,
      to: [was.from],
      sure: false,
      vague: true,
      sentThen: was.ended,
      text,
    } as const;
    const since = sinceWhen(was, reference.calls, now.digest.calls, aligned);
    return isLost(was, now.digest.calls, since) ? [lost] : [];
  }
  if (was.delivered) {
    const text = `${was.to} did not hand ${was.from} what it got by ${was.name} in the passing run`;
    return [{ ...common, party: was.to, to: [was.from], sure: isWhole, text }];
  }
  const known = now.digest.calls.filter((candidate) => isSameRequest(was, candidate));
  const isNested = countsDiffer(was, reference.calls, now.digest.calls, aligned, 'was');
  const isVague = !isNested && (!isWhole || (known.length > 0 && !isCounted([was], reference)));
  const text = `${was.from} did not ask ${was.to} for ${was.name} as in the passing run`;
  return [{ ...common, party: was.from, to: [was.to], sure: !isVague, text }];
}

/** The moment here that corresponds to that of a call then: where it belongs to one request, this begins with that. */
function sinceWhen(
  was: ReferenceCall,
  then: readonly ReferenceCall[],
  now: readonly ReferenceCall[],
  { pairs }: AlignedCalls,
): number {
  const around = then.flatMap((call, place) => (serves(call, was) ? [place] : []));
  const pair = pairs.find(({ was: place }) => place === around[0]);
  const isClear = around.length === 1 && pair && !pair.isGuess && then[around[0] ?? 0]?.from === outside;
  return isClear ? (now[pair.is] as ReferenceCall).began : was.began;
}

/** It was asked for no earlier than then, or in vain, and what came was never that. */
function isLost(was: ReferenceCall, calls: readonly ReferenceCall[], since: number): boolean {
  if (was.loose || was.delivered || was.answer === null) return false;
  const asked = calls.filter((candidate) => isSameRequest(was, candidate));
  const isThere = asked.some(({ answer }) => compareValues(was.answer, answer).likeness !== 'differs');
  return !isThere && asked.some(({ began, answer }) => began >= since || broughtNothing(answer));
}

/** No rows, no value, an empty list. */
function broughtNothing(answer: unknown): boolean {
  const { result, body }: Readonly<Record<string, unknown>> = isMap(answer) ? answer : {};
  const brought = result ?? body ?? null;
  const items = isMap(brought) ? brought.rows : brought;
  return items === null || (Array.isArray(items) && items.length === 0);
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

function describeId({ is, expected }: MixedId): string {
  return `has ${is}, where ${expected ?? `another id than ${is}`} belongs`;
}

function describe(compared: Comparison): string {
  if (compared.unkept) return 'cannot be compared with the passing run: it was not kept as a whole';
  return `has ${formatDifference(compared, 'had')}`;
}
