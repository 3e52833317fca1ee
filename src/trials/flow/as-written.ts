/** Converts a flow's calls into the form of a trial file, so that the same code reads, checks and performs both. */
import type { CheckRecord } from '../../checks/trial-record.ts';
import { Problem, Problems, problemsIn, refuse } from '../../kernel/problem.ts';
import { escapeReferences, mapTexts } from '../../kernel/references.ts';
import type { SourcePosition } from '../../kernel/source-position.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { stepKind } from '../../kinds/step-kinds.ts';
import type { ConfigSource } from '../../system/source/config-source.ts';
import type { System } from '../../system/system.ts';
import { buildCheck } from '../read/build-check.ts';
import { buildStep } from '../read/build-step.ts';
import type { RawMap } from '../read/placed.ts';
import { edgeProblems, insideProblems, targetProblems } from '../read/reference-problems.ts';
import type { Step } from '../trial.ts';
import type { Watched } from './flow-message.ts';

export interface FlowPlace {
  readonly file: string;
  readonly folder: string;
  readonly line: number;
}

export interface KnownParts {
  readonly system: System;
  readonly edges: readonly string[];
}

/** Throws the problems of an invalid step. */
export function stepAsWritten(raw: RawMap, position: number, place: FlowPlace, { system }: KnownParts): Step {
  const value = literal(raw) as RawMap;
  const placed = { value, source: sourceAt(place), path: [], folder: place.folder };
  const { step, problems } = buildStep(placed, position);
  const kind = step?.kind ?? '';
  refuse([
    ...problems,
    ...targetProblems(placed, kind, stepKind(kind), system),
    ...insideProblems(placed, system),
  ]);
  if (!step) throw new Error('the step is invalid, but no problem was found');
  const { line: _line, placed: _placed, ...done } = step;
  return done;
}

/** `keys` are those that all checks share: `expect`, `within`, `provenBy` … */
export function checkAsWritten(
  id: string,
  watched: Watched,
  keys: RawMap,
  place: FlowPlace,
  known: KnownParts,
): CheckRecord {
  const value = literal({ ...watched.raw, ...keys }) as RawMap;
  const placed = { value, source: sourceAt(place), path: [id] };
  const { check, problems } = buildCheck(id, placed);
  refuse([
    ...problems,
    ...targetProblems(placed, watched.kind, checkKind(watched.kind), known.system),
    ...(check ? edgeProblems(check, placed, known) : []),
  ]);
  if (!check) throw new Error('the check is invalid, but no problem was found');
  return check;
}

/** Code has filled in its `${…}` already; any that is left is literal. */
export function literal(value: unknown): unknown {
  return mapTexts(value, escapeReferences);
}

/** A pattern that matches every value. */
export const anything = { $any: [{ $absent: true }, { $present: true }] } as const;

/** What is wrong, in one sentence. */
export function mistakeIn(error: unknown): string {
  if (!(error instanceof Problem) && !(error instanceof Problems)) return String(error);
  return problemsIn(error)
    .map(({ what, allowed, next }) => `${what}; allowed: ${allowed}; ${next}`)
    .join('\n');
}

/** Every position is that of the call in the flow. */
function sourceAt({ file, line }: FlowPlace): ConfigSource {
  const here: SourcePosition = { file, line, column: 1 };
  return {
    file,
    text: '',
    keyPosition: () => here,
    keyLine: () => line,
    valuePosition: () => here,
    partPosition: () => here,
    knows: () => false,
    written: () => undefined,
  };
}
