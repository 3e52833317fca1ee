/** What an operator of the pattern language is: how its operand is checked, told and matched. */
import type { Mismatch } from '../match-result.ts';
import type { Place } from '../place.ts';

export interface Operator {
  /** Starts with `$`. */
  readonly name: string;
  /** What the operand may be, for people. */
  readonly takes: string;
  /** A second key that may stand beside this one and goes with it, such as `$flags` beside `$regex`. */
  readonly companion?: string;
  /** Reports what is wrong with the operand, and hands nested patterns on. */
  check(operand: unknown, inspection: Inspection, companion?: unknown): void;
  /** The expectation in a few words. */
  describe(operand: unknown, describe: DescribePattern, companion?: unknown): string;
  /** The operand has been checked. No mismatch means that it holds. */
  match(operand: unknown, place: Place, matching: Matching, companion?: unknown): readonly Mismatch[];
}

export type DescribePattern = (pattern: unknown) => string;

/** What a static check offers to an operator; keys lead from the operand to the part that is meant. */
export interface Inspection {
  fault(what: string, keys?: readonly (string | number)[]): void;
  pattern(pattern: unknown, keys?: readonly (string | number)[]): void;
  /** Plain data in which `$` has no meaning. */
  literal(value: unknown): void;
  /** True for a text with a `${…}` that is resolved later, and so cannot be checked now. */
  isOpen(value: unknown): boolean;
}

/** One match under way, as an operator sees it. */
export interface Matching {
  /** Matches a nested pattern; what it looks at is noted whether it holds or not. */
  match(pattern: unknown, place: Place): readonly Mismatch[];
  /** Exact equality with plain data. */
  equal(literal: unknown, place: Place): readonly Mismatch[];
  /** Notes that the pattern looked at this place. */
  read(place: Place): void;
  describe: DescribePattern;
  testRegex(source: string, flags: string, text: string, place: Place): boolean;
}
