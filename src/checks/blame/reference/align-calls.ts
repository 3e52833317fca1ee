/** Aligns the calls of two runs, edge by edge: same request, different request, or without a counterpart. */
import { edgeOf } from '../../../kernel/edge-name.ts';
import { type Comparison, compareValues } from './compare-values.ts';
import type { ReferenceCall } from './reference-digest.ts';

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
}

export function alignCalls(before: readonly ReferenceCall[], now: readonly ReferenceCall[]): AlignedCalls {
  const edges = new Set([...before, ...now].map(edgeOf));
  const parts = [...edges].map((edge) => alignEdge(before, now, placesOn(edge, before), placesOn(edge, now)));
  return {
    pairs: parts.flatMap(({ pairs }) => pairs),
    missing: parts.flatMap(({ missing }) => missing),
    extra: parts.flatMap(({ extra }) => extra),
  };
}

/** First calls with the same request, in any order; then, in order, calls for the same thing with different content. */
function alignEdge(
  before: readonly ReferenceCall[],
  now: readonly ReferenceCall[],
  was: readonly number[],
  is: readonly number[],
): AlignedCalls {
  const missing = new Set(was);
  const extra = new Set(is);
  const pairs: CallPair[] = [];
  const take = (isAlike: (one: ReferenceCall, other: ReferenceCall) => boolean): void => {
    for (const place of is.filter((candidate) => extra.has(candidate))) {
      const here = now[place] as ReferenceCall;
      const found = [...missing].find((candidate) => isAlike(before[candidate] as ReferenceCall, here));
      if (found === undefined) continue;
      missing.delete(found);
      extra.delete(place);
      const then = before[found] as ReferenceCall;
      const request = compareValues(then.request, here.request);
      pairs.push({ was: found, is: place, request, answer: compareValues(then.answer, here.answer) });
    }
  };
  // Of several with the same request, prefer the one with the same answer.
  take(
    (one, other) => isSameRequest(one, other) && compareValues(one.answer, other.answer).likeness === 'same',
  );
  take(isSameRequest);
  take((one, other) => one.name === other.name);
  return { pairs, missing: [...missing], extra: [...extra] };
}

export function isSameRequest(one: ReferenceCall, other: ReferenceCall): boolean {
  if (edgeOf(one) !== edgeOf(other) || one.name !== other.name) return false;
  return compareValues(one.request, other.request).likeness === 'same';
}

function placesOn(edge: string, calls: readonly ReferenceCall[]): readonly number[] {
  return calls.flatMap((call, place) => (edgeOf(call) === edge ? [place] : []));
}
