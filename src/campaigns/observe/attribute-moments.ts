/** Finds for each test which edges were crossed while it ran: certainly, or possibly. Pure. */
import type { JunitTest } from './junit/parse-junit.ts';
import type { TestPlace } from './place-tests.ts';

/** Something crossed an edge, at a time between these two. */
export interface Moment {
  readonly edge: string;
  /** Wall time. */
  readonly from: number;
  readonly to: number;
}

/** The returned function takes all report entries of one test; undefined if it is not known when it ran. */
export function attributeMoments(places: ReadonlyMap<JunitTest, TestPlace>, moments: readonly Moment[]) {
  const sorted = moments.toSorted((a, b) => a.from - b.from);
  const longestMs = moments.reduce((longest, { from, to }) => Math.max(longest, to - from), 0);
  return (members: readonly JunitTest[]) => {
    const known = members.flatMap((test) => places.get(test) ?? []);
    if (known.length === 0 || known.length < members.length) return undefined;
    const sure = new Map<string, number>();
    const maybe = new Set<string>();
    for (const place of known)
      for (let at = firstFrom(sorted, place.from - longestMs); at < sorted.length; at += 1) {
        const { edge, from, to } = sorted[at] as Moment;
        if (from > place.to) break;
        if (from >= place.surelyFrom && to <= place.surelyTo) sure.set(edge, (sure.get(edge) ?? 0) + 1);
        else if (to >= place.from) maybe.add(edge);
      }
    return { touches: Object.fromEntries(sure), mayTouch: [...maybe].filter((edge) => !sure.has(edge)) };
  };
}

/** The first that begins at this time or later. */
function firstFrom(sorted: readonly Moment[], time: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as Moment).from < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
