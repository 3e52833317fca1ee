/** Whether a check asserts that something did not happen. */

import { defined } from '../kernel/defined.ts';
import { checkKind } from '../kinds/check-kinds.ts';
import { checkPattern } from '../patterns/check-pattern.ts';
import { exampleOf } from '../patterns/mutants/example-of.ts';
import { resolvePattern, type Scope } from '../patterns/scope.ts';
import { type Expectation, holdAgainst } from './hold-against.ts';
import type { CheckMode, CheckRecord } from './trial-record.ts';

/** The answer of a step is always observed; any other check that accepts an empty list must prove that it could see. */
export function isAbsence(kind: string, mode: CheckMode, { expect, count }: Expectation): boolean {
  if (!checkKind(kind)?.needsProof) return false;
  if (mode === 'never') return true;
  const patterns = [
    ...(expect === undefined ? [] : [expect]),
    ...(count === undefined ? [] : [{ $length: count }]),
  ];
  // A check with an open reference may mean anything, and is not recognized as an absence here.
  if (patterns.some((pattern) => checkPattern(pattern, 'resolved').length > 0)) return false;
  return patterns.length > 0 && holdAgainst({ expect, count }, []).held;
}

/** Whether an absence can hold for something as well, as `$length: { $lte: 3 }` does: then it may be shown elements itself. */
export function mayShow({ mode, expect, count }: Pick<CheckRecord, 'mode' | 'expect' | 'count'>): boolean {
  if (mode === 'never') return false;
  const pattern = {
    $all: [...(expect === undefined ? [] : [expect]), ...(count === undefined ? [] : [{ $length: count }])],
  };
  const example = exampleOf(pattern, [{}]);
  return (
    Array.isArray(example) && example.length > 0 && holdAgainst(defined({ expect, count }), example).held
  );
}

/** The same check with its references resolved: `count: "${answer.json.n}"` may be 0. */
export function withAbsence(check: CheckRecord, scope: Scope): CheckRecord {
  if (check.absence || check.opaque) return check;
  const { value, missing } = resolvePattern({ expect: check.expect, count: check.count }, scope);
  if (missing.length > 0 || !isAbsence(check.kind, check.mode, value as Expectation)) return check;
  return { ...check, absence: true };
}
