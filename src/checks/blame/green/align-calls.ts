/** Puts the calls of two runs side by side, edge by edge: those that ask the same, those that ask something else, those that are alone. */
import { type Comparison, compareValues } from './compare-values.ts';
import type { GreenCall } from './green-digest.ts';

export interface AlignedCalls {
  readonly pairs: readonly CallPair[];
  /** In the first only, and in the second only, by their places. */
  readonly missing: readonly number[];
  readonly extra: readonly number[];
}

export interface CallPair {
  readonly was: number;
  readonly is: number;
  readonly request: Comparison;
  readonly answer: Comparison;
}

export function alignCalls(before: readonly GreenCall[], now: readonly GreenCall[]): AlignedCalls {
  const edges = new Set([...before, ...now].map(edgeName));
  const parts = [...edges].map((edge) => alignEdge(before, now, placesOn(edge, before), placesOn(edge, now)));
  return {
    pairs: parts.flatMap(({ pairs }) => pairs),
    missing: parts.flatMap(({ missing }) => missing),
    extra: parts.flatMap(({ extra }) => extra),
  };
}

/** First whatever asks the same, in whichever order; then, in their order, what asks for the same thing in other words. */
function alignEdge(
  before: readonly GreenCall[],
  now: readonly GreenCall[],
  was: readonly number[],
  is: readonly number[],
): AlignedCalls {
  const missing = new Set(was);
  const extra = new Set(is);
  const pairs: CallPair[] = [];
  const take = (isAlike: (one: GreenCall, other: GreenCall) => boolean): void => {
    for (const place of is.filter((candidate) => extra.has(candidate))) {
      const here = now[place] as GreenCall;
      const found = [...missing].find((candidate) => isAlike(before[candidate] as GreenCall, here));
      if (found === undefined) continue;
      missing.delete(found);
      extra.delete(place);
      pairs.push(comparePair(before, now, found, place));
    }
  };
  // Of several that ask the same the one with the same answer is meant.
  take(
    (one, other) => isSameRequest(one, other) && compareValues(one.answer, other.answer).likeness === 'same',
  );
  take(isSameRequest);
  take((one, other) => one.name === other.name);
  return { pairs, missing: [...missing], extra: [...extra] };
}

export function isSameRequest(one: GreenCall, other: GreenCall): boolean {
  return one.name === other.name && compareValues(one.request, other.request).likeness === 'same';
}

function comparePair(
  before: readonly GreenCall[],
  now: readonly GreenCall[],
  was: number,
  is: number,
): CallPair {
  const [one, other] = [before[was], now[is]];
  return {
    was,
    is,
    request: compareValues(one?.request, other?.request),
    answer: compareValues(one?.answer, other?.answer),
  };
}

function placesOn(edge: string, calls: readonly GreenCall[]): readonly number[] {
  return calls.flatMap((call, place) => (edgeName(call) === edge ? [place] : []));
}

export function edgeName({ from, to }: GreenCall): string {
  return `${from} -> ${to}`;
}
