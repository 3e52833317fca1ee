/** The operator for concurrency: `$overlap`. */
import { childPlace, elementPlaces, mismatchAt, type Place } from '../place.ts';
import { isPlainMap } from '../plain-value.ts';
import { printValue } from '../print-value.ts';
import type { Matching, Operator } from './operator.ts';

export const overlapOperator: Operator = {
  name: '$overlap',
  takes:
    'the largest number of elements that overlapped with any one element, 0 for one at a time, or a pattern for it; each element has a numeric startedAt and endedAt',
  check: (operand, inspection) => {
    if (isPlainMap(operand)) inspection.pattern(operand);
    else if (!Number.isSafeInteger(operand) || Number(operand) < 0)
      inspection.fault('is not a possible number of elements');
  },
  describe: (operand, describe) => `an overlap of ${describe(operand)}`,
  match: (operand, place, matching) => {
    matching.read(place);
    const expected = overlapOperator.describe(operand, matching.describe);
    const elements = elementPlaces(place);
    if (!elements) return [mismatchAt(place, expected)];
    // An empty list does not show that things ran one at a time.
    if (elements.length === 0) return [mismatchAt(place, `${expected}, of at least one element`)];
    const spans = elements.map((element) => spanOf(element, matching));
    const untimed = elements.filter((_, index) => spans[index] === undefined);
    if (untimed.length > 0)
      return untimed.map((element) => mismatchAt(element, 'a map with a numeric startedAt and endedAt'));
    const overlap = largestOverlap(spans.filter((span) => span !== undefined));
    const holds = matching.match(operand, { path: place.path, value: overlap }).length === 0;
    return holds ? [] : [mismatchAt(place, expected, `an overlap of ${overlap}: ${printValue(place.value)}`)];
  },
};

interface Span {
  readonly from: number;
  readonly to: number;
}

function spanOf(element: Place, matching: Matching): Span | undefined {
  const [from, to] = ['startedAt', 'endedAt'].map((key) => {
    const place = childPlace(element, key);
    matching.read(place);
    return place.value;
  });
  return isMoment(from) && isMoment(to) ? { from, to } : undefined;
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}

/** An element that begins when another ends does not overlap with it. */
function largestOverlap(spans: readonly Span[]): number {
  let running: Span[] = [];
  let most = 0;
  for (const span of [...spans].sort((a, b) => a.from - b.from || a.to - b.to)) {
    running = running.filter(({ to }) => to > span.from);
    most = Math.max(most, running.length);
    running.push(span);
  }
  return most;
}
