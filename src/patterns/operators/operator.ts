/** An operator of the pattern language: how its operand is checked, described and matched. */
import type { Mismatch } from '../match-result.ts';
import type { Place } from '../place.ts';

export interface Operator {
  /** Starts with `$`. */
  readonly name: string;
  /** What the operand may be, as text. */
  readonly takes: string;
  /** A companion key, such as `$flags` beside `$regex`. */
  readonly companion?: string;
  /** Reports what is wrong with the operand, and passes nested patterns on. */
  check(operand: unknown, inspection: Inspection, companion?: unknown): void;
  /** The expectation in a few words. */
  describe(operand: unknown, describe: DescribePattern, companion?: unknown): string;
  /** The operand has been checked. No mismatch means that it holds. */
  match(operand: unknown, place: Place, matching: Matching, companion?: unknown): readonly Mismatch[];
}

export type DescribePattern = (pattern: unknown) => string;

/** What a static check offers to an operator; keys lead from the operand to the part in question. */
export interface Inspection {
  fault(what: string, keys?: readonly (string | number)[]): void;
  pattern(pattern: unknown, keys?: readonly (string | number)[]): void;
  /** Plain data in which `$` has no meaning. */
  literal(value: unknown): void;
  /** True for a text with a `${…}` that is resolved later, and so cannot be checked now. */
  isOpen(value: unknown): boolean;
}

/** A match in progress, as an operator sees it. */
export interface Matching {
  /** Matches a nested pattern; what it reads is recorded whether it holds or not. */
  match(pattern: unknown, place: Place): readonly Mismatch[];
  /** Exact equality with plain data. */
  equal(literal: unknown, place: Place): readonly Mismatch[];
  /** Records that the pattern read this place. */
  read(place: Place): void;
  describe: DescribePattern;
  testRegex(source: string, flags: string, text: string, place: Place): boolean;
}
