/** From a check as written to the record that is judged. */

import { isAbsence } from '../../checks/absence.ts';
import { derivedKinds } from '../../checks/derived/derived-queries.ts';
import type { CheckMode, CheckRecord } from '../../checks/trial-record.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { limits } from '../../kernel/limits.ts';
import { nearest } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import { patternProblems } from '../../system/check/pattern-problems.ts';
import { type CheckKind, checkDocuments, checkKinds } from '../document/check-documents.ts';
import { commonCheckKeys } from '../document/step-and-check-keys.ts';
import { buildDerivedCheck } from './build-derived-check.ts';
import { queryOf, sourceOf } from './check-query.ts';
import { formProblems } from './form-problems.ts';
import { lineOf, type Placed, problemAt, type RawMap, shapeProblems } from './placed.ts';

export interface BuiltCheck {
  readonly check?: CheckRecord;
  readonly problems: readonly Problem[];
}

export function buildCheck(id: string, placed: Placed<RawMap>): BuiltCheck {
  const kind = checkKinds.find((candidate) => Object.hasOwn(placed.value, candidate));
  if (!kind) return { problems: [unknownKind(placed)] };
  const problems = [
    ...shapeProblems(placed, checkDocuments[kind], mayRefer),
    ...['expect', 'never', 'where'].flatMap((key) =>
      placed.value[key] === undefined
        ? []
        : patternProblems(placed.value[key], [...placed.path, key], placed.source),
    ),
    ...countProblems(placed),
    ...(isDerived(kind) ? [] : [...vacuous(kind, placed), ...formProblems(kind, placed)]),
  ];
  if (problems.length > 0) return { problems };
  if (isDerived(kind))
    return {
      check: {
        id,
        ...optional('title', placed.value.title as string | undefined),
        line: lineOf(placed),
        ...buildDerivedCheck(kind, placed.value),
      },
      problems: [],
    };
  const query = queryOf(kind, placed.value);
  const check: CheckRecord = {
    id,
    ...optional('title', placed.value.title as string | undefined),
    line: lineOf(placed),
    kind,
    source: sourceOf(kind, query),
    query,
    ...expectationOf(kind, placed.value),
  };
  return { check, problems: [] };
}

/** Which checks and kinds are meant must be known before anything runs. */
function mayRefer(key: string): boolean {
  return ![...derivedKinds, 'changes', 'only'].includes(key) && !Object.hasOwn(commonCheckKeys, key);
}

/** It looks at the whole journal, not at a source of its own. */
function isDerived(kind: CheckKind): boolean {
  return derivedKinds.includes(kind);
}

/** A pattern for the number, or the number itself. */
function countProblems(placed: Placed<RawMap>): Problem[] {
  const { count } = placed.value;
  if (count === undefined) return [];
  if (isContainer(count)) return patternProblems(count, [...placed.path, 'count'], placed.source);
  if (typeof count === 'string' ? count.includes('${') : Number.isSafeInteger(count) && Number(count) >= 0)
    return [];
  return [
    problemAt(placed, 'value', ['count'], {
      code: 'config.bad-pattern',
      what: `\`count\` is ${JSON.stringify(count)}`,
      allowed: 'a whole number of elements, or a pattern such as { $gte: 2 }',
      next: 'change the value',
    }),
  ];
}

function expectationOf(
  kind: CheckKind,
  raw: RawMap,
): Pick<CheckRecord, 'mode' | 'absence'> & Partial<CheckRecord> {
  const mode = modeOf(raw);
  // Nothing else may have changed, unless something is said of what did.
  const isClosed =
    kind === 'changes' && raw.count === undefined && (raw.golden !== true || raw.only !== undefined);
  const expect = raw.never ?? raw.expect ?? (isClosed ? [] : undefined);
  return {
    mode,
    ...(mode === 'within' ? { withinMs: durationOf(raw.within) } : {}),
    ...optional('expect', expect),
    ...optional('count', raw.count),
    absence: isAbsence(kind, mode, { expect, count: raw.count }),
    ...optional('provenBy', raw.provenBy as string | undefined),
    ...optional('only', raw.only as readonly string[] | undefined),
    // The file of the accepted output is found once the id of the trial is known.
    ...(raw.golden === true ? { golden: { file: '' } } : {}),
  };
}

function modeOf(raw: RawMap): CheckMode {
  if (raw.never !== undefined) return 'never';
  if (raw.throughout === true) return 'throughout';
  return raw.within === undefined ? 'quiet' : 'within';
}

function durationOf(written: unknown): number {
  return (typeof written === 'string' ? parseDuration(written) : undefined) ?? limits.stepWithinMs;
}

function vacuous(kind: CheckKind, placed: Placed<RawMap>): Problem[] {
  const { expect, count, never, golden, only, within } = placed.value;
  const says = isEmptyMap(expect) ? [count, never, golden, only] : [expect, count, never, golden, only];
  if (says.every((value) => value === undefined)) {
    return [
      problemAt(placed, 'key', [], {
        code: 'trial.empty-check',
        what: `the check \`${String(placed.path.at(-1))}\` looks at ${kind} and expects nothing`,
        allowed: `one of expect, count, never, golden${kind === 'changes' ? ', only' : ''}`,
        next: 'say what must be true: `expect: …`',
      }),
    ];
  }
  const beside = Object.entries({ expect, within, count }).find(([, value]) => value !== undefined);
  if (never === undefined || !beside) return [];
  const [key] = beside;
  return [
    problemAt(placed, 'key', [key], {
      code: 'trial.contradiction',
      what: `\`never\` and \`${key}\` stand in one check`,
      allowed: 'either `never: pattern`, or `expect: pattern` with or without `within` and `count`',
      next: 'make two checks of it',
    }),
  ];
}

/** Every map fulfils it. */
export function isEmptyMap(pattern: unknown): boolean {
  return (
    typeof pattern === 'object' &&
    pattern !== null &&
    !Array.isArray(pattern) &&
    Object.keys(pattern).length === 0
  );
}

const later: Readonly<Record<string, string>> = {
  objects: 'object stores',
  screen: 'screens',
};

function unknownKind(placed: Placed<RawMap>): Problem {
  const keys = Object.keys(placed.value).filter((key) => !Object.hasOwn(commonCheckKeys, key));
  const notYet = keys.find((key) => Object.hasOwn(later, key));
  if (notYet !== undefined)
    return problemAt(placed, 'key', [notYet], {
      code: 'config.not-yet',
      what: `\`${notYet}\`: this version has no ${later[notYet]}`,
      allowed: checkKinds.join(', '),
      next: 'remove the check, or keep it in a file that `trials` does not select',
    });
  const [key] = keys;
  const guess = key === undefined ? undefined : nearest(key, checkKinds);
  return problemAt(placed, 'key', key === undefined ? [] : [key], {
    code: 'trial.unknown-kind',
    what:
      key === undefined
        ? `the check \`${String(placed.path.at(-1))}\` does not say what it looks at`
        : `nothing can be looked at by \`${key}\``,
    allowed: checkKinds.join(', '),
    next: guess ? `did you mean \`${guess}\`?` : 'name what is looked at, such as `exchange: answer`',
  });
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };
}
