/** Whether a check says that something did not happen. */
import { checkPattern } from '../patterns/check-pattern.ts';
import { resolvePattern, type Scope } from '../patterns/scope.ts';
import { type Expectation, holdAgainst } from './hold-against.ts';
import type { CheckMode, CheckRecord } from './trial-record.ts';

/** What a step answered is there to be seen; whatever else is content with an empty list must prove that it could see. */
export function isAbsence(kind: string, mode: CheckMode, { expect, count }: Expectation): boolean {
  if (!lists.includes(kind)) return false;
  if (mode === 'never') return true;
  const patterns = [
    ...(expect === undefined ? [] : [expect]),
    ...(count === undefined ? [] : [{ $length: count }]),
  ];
  // One with an open reference may mean anything, and is no absence that could be seen here.
  if (patterns.some((pattern) => checkPattern(pattern, 'resolved').length > 0)) return false;
  return patterns.length > 0 && holdAgainst({ expect, count }, []).held;
}

/** Kinds that give a list of what is there. */
const lists: readonly string[] = ['calls', 'rows', 'files', 'logs', 'events', 'spans'];

/** The same check, with what only the values of its references show: `count: "${answer.json.n}"` may be 0. */
export function withAbsence(check: CheckRecord, scope: Scope): CheckRecord {
  if (check.absence || check.opaque) return check;
  const { value, missing } = resolvePattern({ expect: check.expect, count: check.count }, scope);
  if (missing.length > 0 || !isAbsence(check.kind, check.mode, value as Expectation)) return check;
  return { ...check, absence: true };
}
