/** From a step as written to one that can be done. */
import { parseDuration } from '../../kernel/duration.ts';
import { limits } from '../../kernel/limits.ts';
import { nearest } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import { patternProblems } from '../../system/check/pattern-problems.ts';
import { commonStepKeys } from '../document/common-keys.ts';
import { type StepKind, stepDocuments, stepKinds } from '../document/step-documents.ts';
import type { Step } from '../trial.ts';
import { buildCheck } from './build-check.ts';
import { lineOf, type Placed, problemAt, type RawMap, shapeProblems } from './placed.ts';

export interface PlacedStep extends Placed<RawMap> {
  readonly folder: string;
}

export interface BuiltStep {
  readonly step?: Step & { readonly line: number; readonly placed: PlacedStep };
  readonly problems: readonly Problem[];
}

export function stepKindOf(raw: RawMap): StepKind | undefined {
  return stepKinds.find((kind) => Object.hasOwn(raw, kind));
}

export function buildStep(placed: PlacedStep, position: number): BuiltStep {
  const raw = placed.value;
  const kind = stepKindOf(raw);
  if (!kind) return { problems: [unknownKind(placed)] };
  const waits = kind === 'until' ? 'until' : raw.when === undefined ? undefined : 'when';
  const waited = waits && buildWait(placed, waits);
  const problems = [
    ...shapeProblems(placed, stepDocuments[kind]),
    ...(raw.expect === undefined
      ? []
      : patternProblems(raw.expect, [...placed.path, 'expect'], placed.source)),
    ...(waited?.problems ?? []),
  ];
  if (problems.length > 0) return { problems };
  const timeout = raw.timeout ?? raw.within;
  const step = {
    name: typeof raw.as === 'string' ? raw.as : `#${position}`,
    kind,
    spec: Object.fromEntries(
      Object.entries(raw).filter(([key]) => !Object.hasOwn(commonStepKeys, key) && key !== 'until'),
    ),
    ...(raw.expect === undefined ? {} : { expect: raw.expect }),
    ...(typeof raw.burst === 'number' ? { burst: raw.burst } : {}),
    ...(waited?.check ? { when: waited.check } : {}),
    timeoutMs: (typeof timeout === 'string' ? parseDuration(timeout) : undefined) ?? defaultTimeout(kind),
    folder: placed.folder,
    line: lineOf(placed),
    placed,
  };
  return { step, problems: [] };
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
