/** Steps and checks that cannot fail: patterns that every value matches, and absences that hold at the first sample. */

import type { CheckRecord } from '../../checks/trial-record.ts';
import type { Problem } from '../../kernel/problem.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { checkPattern } from '../../patterns/check-pattern.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { referencesIn } from '../../patterns/scope.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import { isEmptyMap } from './build-check.ts';
import { type Placed, problemAt, type RawMap } from './placed.ts';

export function idleStepProblems(placed: Placed<RawMap>): Problem[] {
  const { expect, as } = placed.value;
  return [
    ...(holdsAlways(expect, anyMaps) ? [neverFails(placed, 'expect')] : []),
    ...ownValues(expect, String(as)).map((keys) => equalsItself(placed, ['expect', ...keys])),
  ];
}

/** Places of a pattern that compare a value only with itself. */
function ownValues(pattern: unknown, step: string, keys: readonly PathKey[] = []): readonly PathKey[][] {
  if (typeof pattern === 'string') return pattern === `\${${[step, ...keys].join('.')}}` ? [[...keys]] : [];
  if (typeof pattern !== 'object' || pattern === null) return [];
  return Object.entries(pattern).flatMap(([key, inner]) =>
    ownValues(inner, step, [...keys, Array.isArray(pattern) ? Number(key) : key]),
  );
}

function equalsItself(placed: Placed<unknown>, at: readonly PathKey[]): Problem {
  return problemAt(placed, 'value', at, {
    code: 'trial.empty-check',
    what: `\`${at.join('.')}\` is compared with itself`,
    allowed: 'a value from elsewhere',
    next: 'say what must be true',
  });
}

export function idleCheckProblems(check: CheckRecord, placed: Placed<RawMap>, trial: string): Problem[] {
  const { expect, count } = placed.value;
  const values = checkKind(check.kind)?.gives === 'map' ? anyMaps : anyLists;
  return [
    ...(holdsAlways(expect, values) ? [neverFails(placed, 'expect')] : []),
    ...(check.kind === 'exchange'
      ? ownValues(expect, String(check.query.exchange)).map((keys) =>
          equalsItself(placed, ['expect', ...keys]),
        )
      : []),
    ...(holdsAlways(count, anyCounts) ? [neverFails(placed, 'count', limitIn(count))] : []),
    ...(check.absence && check.mode === 'within' ? [holdsAtOnce(placed)] : []),
    ...(check.provenBy !== undefined && check.provenBy === trial ? [provesItself(placed, trial)] : []),
  ];
}

/** Sample values so different that a pattern matching all of them matches everything. */
const anyMaps: readonly unknown[] = [{}, { error: {} }, { status: 500, text: 'x', json: null, answers: [0] }];
const anyLists: readonly unknown[] = [
  [],
  [{}],
  [{ a: 1 }, { b: null }, { error: {} }],
  Array.from({ length: 10_000 }, () => ({})),
];
const anyCounts: readonly unknown[] = [0, 1, 2, 1_000, 10_000];

/** It would fail for more than are ever counted. */
function limitIn(count: unknown): string {
  return holdsAlways(count, [1e12]) ? '' : ', because at most 10,000 are counted';
}

/** The value of a reference is not known yet; an empty map is reported elsewhere. */
function holdsAlways(pattern: unknown, values: readonly unknown[]): boolean {
  if (pattern === undefined || isEmptyMap(pattern) || referencesIn(pattern).length > 0) return false;
  return checkPattern(pattern, 'resolved').length === 0 && holdsForAll(pattern, values);
}

/** It matches all of them without reading their content. */
function holdsForAll(pattern: unknown, values: readonly unknown[]): boolean {
  const { $any: any, ...others } = (pattern ?? {}) as RawMap;
  if (Array.isArray(any) && Object.keys(others).length === 0)
    return any.some((one) => holdsForAll(one, values));
  return values.every((value) => {
    const { matched, reads } = matchPattern(pattern, value);
    return matched && reads.every((read) => read === '$');
  });
}

function neverFails(placed: Placed<unknown>, key: string, because = ''): Problem {
  return problemAt(placed, 'value', [key], {
    code: 'trial.empty-check',
    what: `\`${key}\` is a pattern that every value matches${because}`,
    allowed: 'a pattern that some values do not match',
    next: 'say what must be true',
  });
}

function holdsAtOnce(placed: Placed<unknown>): Problem {
  return problemAt(placed, 'key', ['within'], {
    code: 'trial.contradiction',
    what: '`within` has no effect on an absence, which holds at the first sample',
    allowed: 'an absence without `within`, which is sampled when everything is quiet, or `never: pattern`',
    next: 'remove `within`, or say under `never` what must not come; to wait until something is gone, make it an `until` step',
  });
}

function provesItself(placed: Placed<unknown>, trial: string): Problem {
  return problemAt(placed, 'value', ['provenBy'], {
    code: 'trial.contradiction',
    what: `\`provenBy\` names the trial itself, \`${trial}\``,
    allowed: 'another trial, in which the same source shows something',
    next: 'name another trial',
  });
}
