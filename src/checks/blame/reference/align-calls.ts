/** Aligns the calls of two runs, edge by edge: same request, different request, or without a counterpart. */
import { outside } from '../../../journal/topology.ts';
import { type Comparison, compareValues } from './compare-values.ts';
import { edgeIn, type ReferenceCall } from './reference-digest.ts';
import { Renaming } from './renaming.ts';

export interface AlignedCalls {
  readonly pairs: readonly CallPair[];
  /** Only in the first, and only in the second, as indexes. */
  readonly missing: readonly number[];
  readonly extra: readonly number[];
}

export interface CallPair {
  readonly was: number;
  readonly is: number;
  readonly request: Comparison;
  readonly answer: Comparison;
  /** Another one would have done as well. */
  readonly isGuess: boolean;
}

/**
 * First calls with the same request, in any order; then, in order, calls for the same thing with different content. Of
 * several with the same request, those that agree in their ids, and in their answer, belong together.
 */
export function alignCalls(
  before: readonly ReferenceCall[],
  now: readonly ReferenceCall[],
  isLearned = false,
): AlignedCalls {
  const missing = Map.groupBy(before.keys(), (place) => keyOf(before[place] as ReferenceCall));
  const compare = comparer(before, now, isLearned);
  const ids = new Renaming();
  const guessed = new Set<number>();
  const pairs: CallPair[] = [];
  let extra = [...now.keys()].sort((a, b) => (now[a]?.began ?? 0) - (now[b]?.began ?? 0));
  const take = (isAlike: (pair: Compared) => boolean, byIds: boolean): void => {
    extra = extra.filter((is) => {
      const left = missing.get(keyOf(now[is] as ReferenceCall)) ?? [];
      const alike = left.map((was) => compare(was, is)).filter(isAlike);
      const found = byIds ? mostFitting(alike, ids) : alike.slice(0, 1);
      const [first] = found;
      if (!first) return true;
      left.splice(left.indexOf(first.was), 1);
      const isGuess = guessed.has(first.was) || (found.length > 1 && !isNext(found, before));
      // What is left then belongs to the next only if the guess was right.
      if (isGuess) for (const { was } of found) guessed.add(was);
      if (byIds) ids.learn([...first.request.links, ...first.answer.links], isGuess);
      pairs.push({ ...first, is, isGuess });
      return false;
    });
  };
  take(({ request, answer }) => request.likeness === 'same' && answer.likeness === 'same', true);
  take(({ request }) => request.likeness === 'same', true);
  take(({ request }) => request.likeness === 'same', false);
  take(({ request }) => request.likeness === 'unsure', false);
  take(() => true, false);
  return {
    pairs,
    missing: [...missing.values()].flat().sort((a, b) => a - b),
    extra: extra.sort((a, b) => a - b),
  };
}

/** The trial itself does one thing after the other. */
function isNext(found: readonly Compared[], before: readonly ReferenceCall[]): boolean {
  const calls = found.map(({ was }) => before[was] as ReferenceCall).sort((a, b) => a.began - b.began);
  return calls.every(({ from, began }, place) => from === outside && began >= (calls[place - 1]?.ended ?? 0));
}

type Compared = Pick<CallPair, 'was' | 'request' | 'answer'>;

/** Those with the most ids that are known; none of which contradicts. */
function mostFitting(alike: readonly Compared[], ids: Renaming): readonly Compared[] {
  const rated = alike.flatMap((one) => {
    const fit = ids.fit([...one.request.links, ...one.answer.links]);
    return fit === undefined ? [] : [{ one, fit }];
  });
  const best = Math.max(...rated.map(({ fit }) => fit));
  return rated.filter(({ fit }) => fit === best).map(({ one }) => one);
}

function comparer(before: readonly ReferenceCall[], now: readonly ReferenceCall[], isLearned: boolean) {
  const known = new Map<number, Compared>();
  return (was: number, is: number): Compared => {
    const key = was * now.length + is;
    const found = known.get(key) ?? {
      was,
      ...compareCalls(before[was] as ReferenceCall, now[is] as ReferenceCall, isLearned),
    };
    known.set(key, found);
    return found;
  };
}

function compareCalls(then: ReferenceCall, here: ReferenceCall, isLearned: boolean): Omit<Compared, 'was'> {
  return {
    request: compareValues(then.request, here.request, isLearned),
    answer: compareValues(then.answer, here.answer, isLearned),
  };
}

export function isSameRequest(one: ReferenceCall, other: ReferenceCall): boolean {
  return keyOf(one) === keyOf(other) && compareValues(one.request, other.request).likeness !== 'differs';
}

function keyOf(call: ReferenceCall): string {
  return `${edgeIn(call)} ${call.name}`;
}
