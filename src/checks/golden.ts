/** Golden outputs: what was seen, with everything that differs from run to run named instead of shown, against what was accepted. */
import { cutMark } from '../kernel/cut-mark.ts';
import { printValue } from '../patterns/print-value.ts';
import { canonicalise } from './canonical-value.ts';
import type { Held } from './hold-against.ts';
import { lineDifference } from './line-difference.ts';
import type { Golden } from './trial-record.ts';

export function judgeGolden(golden: Golden, value: unknown): Held {
  const reads = ['$'];
  const seen = canonicalText(value);
  const expected = `what ${golden.file} holds`;
  if (golden.accepted === undefined) {
    const explanation = `nothing was accepted yet; look at it, then: shakedown judge latest --accept`;
    return {
      held: false,
      expected,
      observed: printValue(value),
      explanation,
      undecided: 'no golden output',
      reads,
    };
  }
  const accepted = canonicalText(golden.accepted);
  const undecided = 'a part of what was seen was not kept';
  if (isPartial.test(seen))
    return { held: false, expected, observed: printValue(value), explanation: undecided, undecided, reads };
  if (accepted === seen) return { held: true, expected, observed: 'the same', reads };
  const explanation = `${lineDifference(accepted, seen)}\nright as it is now? shakedown judge latest --accept`;
  return { held: false, expected, observed: 'something else', explanation, reads };
}

const isPartial = new RegExp(`"\\$dropped": \\{|${cutMark}"`);

export function canonicalText(value: unknown): string {
  return JSON.stringify(canonicalise(value), undefined, 2);
}
