/** From a check as written to the record that is judged. */
import { isAbsence } from '../../checks/absence.ts';
import { derivedKinds } from '../../checks/derived-queries.ts';
import type { CheckMode, CheckRecord } from '../../checks/trial-record.ts';
import { defined } from '../../kernel/defined.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { isMap } from '../../kernel/is-map.ts';
import { limits } from '../../kernel/limits.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { commonCheckKeys } from '../../kinds/kind/keys-of-all.ts';
import { patternProblems } from '../../system/check/pattern-problems.ts';
import { checkDocument, checkKeys } from '../kinds/check-table.ts';
import { buildDerivedCheck } from './build-derived-check.ts';
import { formProblems } from './form-problems.ts';
import { lineOf, type Placed, problemAt, problemsAt, type RawMap, shapeProblems } from './placed.ts';

export interface BuiltCheck {
  readonly check?: CheckRecord;
  readonly problems: readonly Problem[];
}

export function buildCheck(id: string, placed: Placed<RawMap>): BuiltCheck {
  const kind = checkKeys().find((candidate) => Object.hasOwn(placed.value, candidate));
  const document = kind === undefined ? undefined : checkDocument(kind);
  if (kind === undefined || !document) return { problems: [unknownKind(placed)] };
  const problems = [
    ...shapeProblems(placed, document, mayRefer),
    ...['expect', 'never', 'where'].flatMap((key) =>
      placed.value[key] === undefined
        ? []
        : patternProblems(placed.value[key], [...placed.path, key], placed.source),
    ),
    ...countProblems(placed),
    ...(isDerived(kind) ? [] : [...vacuous(kind, placed), ...formProblems(kind, placed)]),
  ];
  if (problems.length > 0) return { problems };
  const named = defined({ id, title: placed.value.title as string | undefined, line: lineOf(placed) });
  if (isDerived(kind)) return { check: { ...named, ...buildDerivedCheck(kind, placed.value) }, problems: [] };
  const query = queryOf(kind, placed.value);
  const source = checkKind(kind)?.source(query) ?? kind;
  return { check: { ...named, kind, source, query, ...expectationOf(kind, placed.value) }, problems: [] };
}

/** The observer's query, from the check's own keys. */
export function queryOf(kind: string, raw: RawMap): RawMap {
  const own = Object.fromEntries(
    Object.entries(raw).filter(
      ([key]) => key !== kind && key !== 'only' && !Object.hasOwn(commonCheckKeys, key),
    ),
  );
  return checkKind(kind)?.query(raw[kind], own) ?? own;
}

/** Names of checks and kinds must be known before anything runs. */
function mayRefer(key: string): boolean {
  return ![...derivedKinds, 'changes', 'only'].includes(key) && !Object.hasOwn(commonCheckKeys, key);
}

/** It reads the whole journal, not a source of its own. */
function isDerived(kind: string): boolean {
  return derivedKinds.includes(kind);
}

/** A pattern for the number, or the number itself. */
function countProblems(placed: Placed<RawMap>): Problem[] {
  const { count } = placed.value;
  if (count === undefined) return [];
  if (isContainer(count)) return patternProblems(count, [...placed.path, 'count'], placed.source);
  if (typeof count === 'string' ? count.includes('${') : Number.isSafeInteger(count) && Number(count) >= 0)
    return [];
  return problemsAt(placed, 'value', ['count'], {
    code: 'config.bad-pattern',
    what: `\`count\` is ${JSON.stringify(count)}`,
    allowed: 'a whole number of elements, or a pattern such as { $gte: 2 }',
    next: 'change the value',
  });
}

function expectationOf(
  kind: string,
  raw: RawMap,
): Pick<CheckRecord, 'mode' | 'absence'> & Partial<CheckRecord> {
  const mode = modeOf(raw);
  // Without a pattern, nothing else may have changed.
  const isClosed =
    checkKind(kind)?.isClosed && raw.count === undefined && (raw.golden !== true || raw.only !== undefined);
  const expect = raw.never ?? raw.expect ?? (isClosed ? [] : undefined);
  return {
    mode,
    ...(mode === 'within' ? { withinMs: durationOf(raw.within) } : {}),
    ...defined({ expect, count: raw.count }),
    absence: isAbsence(kind, mode, { expect, count: raw.count }),
    ...defined({
      provenBy: raw.provenBy as string | undefined,
      only: raw.only as readonly string[] | undefined,
      // The file of the accepted output is found once the id of the trial is known.
      golden: raw.golden === true ? { file: '' } : undefined,
    }),
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

function vacuous(kind: string, placed: Placed<RawMap>): Problem[] {
  const { expect, count, never, golden, only, within } = placed.value;
  const says = isEmptyMap(expect) ? [count, never, golden, only] : [expect, count, never, golden, only];
  if (says.every((value) => value === undefined)) {
    return problemsAt(placed, 'key', [], {
      code: 'trial.empty-check',
      what: `the check \`${String(placed.path.at(-1))}\` observes ${kind}, but expects nothing`,
      allowed: `one of expect, count, never, golden${checkKind(kind)?.isClosed ? ', only' : ''}`,
      next: 'say what must be true: `expect: …`',
    });
  }
  const beside = Object.entries({ expect, within, count }).find(([, value]) => value !== undefined);
  if (never === undefined || !beside) return [];
  const [key] = beside;
  return problemsAt(placed, 'key', [key], {
    code: 'trial.contradiction',
    what: `\`never\` and \`${key}\` are both set in one check`,
    allowed: 'either `never: pattern`, or `expect: pattern` with or without `within` and `count`',
    next: 'split the check in two',
  });
}

/** Every map matches it. */
export function isEmptyMap(pattern: unknown): boolean {
  return isMap(pattern) && Object.keys(pattern).length === 0;
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
      allowed: checkKeys().join(', '),
      next: 'remove the check, or keep it in a file that `trials` does not select',
    });
  const [key] = keys;
  const otherwise = 'name what it observes, such as `exchange: answer`';
  return problemAt(placed, 'key', key === undefined ? [] : [key], {
    code: 'trial.unknown-kind',
    what:
      key === undefined
        ? `the check \`${String(placed.path.at(-1))}\` does not name what it observes`
        : `\`${key}\` is not a kind of check`,
    allowed: checkKeys().join(', '),
    next: key === undefined ? otherwise : didYouMean(key, checkKeys(), otherwise),
  });
}
