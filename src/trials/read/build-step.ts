/** Converts a step, as written, into one that can be performed. */
import { defined } from '../../kernel/defined.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { limits } from '../../kernel/limits.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import { commonStepKeys } from '../../kinds/kind/keys-of-all.ts';
import { stepKeyIn, stepKind, stepKinds } from '../../kinds/step-kinds.ts';
import { patternProblems } from '../../system/check/pattern-problems.ts';
import { stepDocument } from '../kinds/step-table.ts';
import type { Step } from '../trial.ts';
import { buildCheck, isEmptyMap } from './build-check.ts';
import { formProblems } from './form-problems.ts';
import { lineOf, type Placed, problemAt, type RawMap, shapeProblems } from './placed.ts';

export interface PlacedStep extends Placed<RawMap> {
  readonly folder: string;
}

export interface BuiltStep {
  /** The name under `as`, or `#3`. */
  readonly name: string;
  readonly step?: Step & { readonly line: number; readonly placed: PlacedStep };
  readonly problems: readonly Problem[];
}

export function buildStep(placed: PlacedStep, position: number): BuiltStep {
  const raw = placed.value;
  const kind = stepKeyIn(raw);
  const name = typeof raw.as === 'string' ? raw.as : `#${position}`;
  if (!kind) return { name, problems: [unknownKind(placed)] };
  const waits = kind === 'until' ? 'until' : raw.when === undefined ? undefined : 'when';
  const waited = waits && buildWait(placed, waits);
  const problems = [
    ...shapeProblems(placed, stepDocument(kind), (key) => !Object.hasOwn(commonStepKeys, key)),
    ...(raw.expect === undefined
      ? []
      : [
          ...patternProblems(raw.expect, [...placed.path, 'expect'], placed.source),
          ...formProblems('exchange', placed),
        ]),
    ...(waited?.problems ?? []),
    ...(isEmptyMap(raw.expect) ? [expectsNothing(placed)] : []),
    ...(stepKind(kind).oneOf ?? [])
      .filter((key) => raw[key] !== undefined)
      .slice(1)
      .map((key) => tooMany(placed, kind, key)),
  ];
  if (problems.length > 0) return { name, problems };
  const timeout = raw.timeout ?? raw.within;
  const step = {
    name,
    kind,
    spec: Object.fromEntries(
      Object.entries(raw).filter(([key]) => !Object.hasOwn(commonStepKeys, key) && key !== 'until'),
    ),
    ...defined({
      expect: raw.expect,
      burst: typeof raw.burst === 'number' ? raw.burst : undefined,
      when: waited?.check,
      rung: typeof raw.rung === 'string' ? { name: raw.rung, party: partyOf(kind, raw) } : undefined,
    }),
    timeoutMs:
      (typeof timeout === 'string' ? parseDuration(timeout) : undefined) ??
      stepKind(kind).timeoutMs ??
      limits.stepWithinMs,
    folder: placed.folder,
    line: lineOf(placed),
    placed,
  };
  return { name, step, problems: [] };
}

/** The service or resource that answers the step. */
function partyOf(kind: string, raw: RawMap): string {
  const target = typeof raw[kind] === 'string' ? String(raw[kind]) : '';
  const [, service = ''] = /^(?:[A-Z]+ )?([a-z][a-z0-9-]*)/.exec(target) ?? [];
  return service === '' ? String(raw.rung) : service;
}

function expectsNothing(placed: PlacedStep): Problem {
  return problemAt(placed, 'value', ['expect'], {
    code: 'trial.empty-check',
    what: '`expect: {}` expects nothing: every answer matches it',
    allowed: 'a pattern that some answers do not match',
    next: 'say what must be true: `expect: { status: 200 }`',
  });
}

function tooMany(placed: PlacedStep, kind: string, key: string): Problem {
  const keys = stepKind(kind).oneOf ?? [];
  const first = keys.find((candidate) => placed.value[candidate] !== undefined);
  return problemAt(placed, 'key', [key], {
    code: 'trial.contradiction',
    what: `\`${first}\` and \`${key}\` are both set in one step`,
    allowed: `one of ${keys.join(', ')}`,
    next: 'split the step in two, or remove one',
  });
}

function buildWait(placed: PlacedStep, key: 'when' | 'until'): ReturnType<typeof buildCheck> {
  const written = placed.value[key];
  const value = { within: '10s', ...(isContainer(written) ? written : {}) };
  return buildCheck(key, { value, source: placed.source, path: [...placed.path, key] });
}

function unknownKind(placed: PlacedStep): Problem {
  const keys = Object.keys(placed.value).filter((key) => !Object.hasOwn(commonStepKeys, key));
  const [key] = keys;
  const known = Object.keys(stepKinds);
  const otherwise = 'begin the step with one of these keys, such as `http: GET service/path`';
  return problemAt(placed, 'key', key === undefined ? [] : [key], {
    code: 'trial.unknown-kind',
    what: key === undefined ? 'the step has no driver key' : `there is no driver \`${key}\``,
    allowed: known.join(', '),
    next: key === undefined ? otherwise : didYouMean(key, known, otherwise),
  });
}
