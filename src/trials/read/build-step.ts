/** From a step as written to one that can be done. */
import { parseDuration } from '../../kernel/duration.ts';
import { limits } from '../../kernel/limits.ts';
import { nearest } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import { patternProblems } from '../../system/check/pattern-problems.ts';
import { commonStepKeys } from '../document/step-and-check-keys.ts';
import { type StepKind, stepDocuments, stepKinds } from '../document/step-documents.ts';
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

export function stepKindOf(raw: RawMap): StepKind | undefined {
  return stepKinds.find((kind) => Object.hasOwn(raw, kind));
}

export function buildStep(placed: PlacedStep, position: number): BuiltStep {
  const raw = placed.value;
  const kind = stepKindOf(raw);
  const name = typeof raw.as === 'string' ? raw.as : `#${position}`;
  if (!kind) return { name, problems: [unknownKind(placed)] };
  const waits = kind === 'until' ? 'until' : raw.when === undefined ? undefined : 'when';
  const waited = waits && buildWait(placed, waits);
  const problems = [
    ...shapeProblems(placed, stepDocuments[kind], (key) => !Object.hasOwn(commonStepKeys, key)),
    ...(raw.expect === undefined
      ? []
      : [
          ...patternProblems(raw.expect, [...placed.path, 'expect'], placed.source),
          ...formProblems('exchange', placed),
        ]),
    ...(waited?.problems ?? []),
    ...(isEmptyMap(raw.expect) ? [expectsNothing(placed)] : []),
    ...(oneOf[kind] ?? [])
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
    ...(raw.expect === undefined ? {} : { expect: raw.expect }),
    ...(typeof raw.burst === 'number' ? { burst: raw.burst } : {}),
    ...(waited?.check ? { when: waited.check } : {}),
    ...(typeof raw.rung === 'string' ? { rung: { name: raw.rung, party: partyOf(kind, raw) } } : {}),
    timeoutMs: (typeof timeout === 'string' ? parseDuration(timeout) : undefined) ?? defaultTimeout(kind),
    folder: placed.folder,
    line: lineOf(placed),
    placed,
  };
  return { name, step, problems: [] };
}

/** Who answers the step: the service or the resource that it goes to. */
function partyOf(kind: StepKind, raw: RawMap): string {
  const target = typeof raw[kind] === 'string' ? String(raw[kind]) : '';
  const [, service = ''] = /^(?:[A-Z]+ )?([a-z][a-z0-9-]*)/.exec(target) ?? [];
  return service === '' ? String(raw.rung) : service;
}

function expectsNothing(placed: PlacedStep): Problem {
  return problemAt(placed, 'value', ['expect'], {
    code: 'trial.empty-check',
    what: '`expect: {}` expects nothing: every answer fulfils it',
    allowed: 'a pattern that some answer would not fulfil',
    next: 'say what must be true: `expect: { status: 200 }`',
  });
}

/** Keys of which a step may have one. */
const oneOf: Partial<Record<StepKind, readonly string[]>> = {
  http: ['json', 'text', 'form', 'multipart', 'body'],
  mcp: ['tool', 'list', 'request'],
};

function tooMany(placed: PlacedStep, kind: StepKind, key: string): Problem {
  const keys = oneOf[kind] ?? [];
  const first = keys.find((candidate) => placed.value[candidate] !== undefined);
  return problemAt(placed, 'key', [key], {
    code: 'trial.contradiction',
    what: `\`${first}\` and \`${key}\` stand in one step`,
    allowed: `one of ${keys.join(', ')}`,
    next: 'make two steps of it, or remove one',
  });
}

/** Starting a service may take as long as booting it. */
function defaultTimeout(kind: StepKind): number {
  return kind === 'restart' || kind === 'start' ? limits.readyWithinMs : limits.stepWithinMs;
}

function buildWait(placed: PlacedStep, key: 'when' | 'until'): ReturnType<typeof buildCheck> {
  const value = placed.value[key];
  const inner = {
    value: typeof value === 'object' && value !== null ? (value as RawMap) : {},
    source: placed.source,
    path: [...placed.path, key],
  };
  const timed = { ...inner, value: { within: '10s', ...inner.value } };
  return buildCheck(key, timed);
}

function unknownKind(placed: PlacedStep): Problem {
  const keys = Object.keys(placed.value).filter((key) => !Object.hasOwn(commonStepKeys, key));
  const [key] = keys;
  const guess = key === undefined ? undefined : nearest(key, stepKinds);
  return problemAt(placed, 'key', key === undefined ? [] : [key], {
    code: 'trial.unknown-kind',
    what: key === undefined ? 'the step does not say what is done' : `there is no driver \`${key}\``,
    allowed: stepKinds.join(', '),
    next: guess
      ? `did you mean \`${guess}\`?`
      : 'begin the step with one of these keys, such as `http: GET service/path`',
  });
}
