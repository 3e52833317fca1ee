/** Brings what a flow says into the form in which a file says it, so that both are read, checked and done by the same code. */

import type { CheckRecord } from '../../checks/trial-record.ts';
import { Problem, Problems, problemsIn } from '../../kernel/problem.ts';
import { escapeReferences, mapTexts } from '../../kernel/references.ts';
import type { SourcePosition } from '../../kernel/source-position.ts';
import type { ConfigSource } from '../../system/source/config-source.ts';
import type { System } from '../../system/system.ts';
import { buildCheck } from '../read/build-check.ts';
import { buildStep } from '../read/build-step.ts';
import type { RawMap } from '../read/placed.ts';
import { edgeProblems, targetProblems } from '../read/reference-problems.ts';
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

const stepTargets = ['http', 'tcp', 'mcp', 'restart', 'stop', 'start', 'kill'];
const checkTargets = ['rows', 'files', 'logs', 'events', 'process'];

/** Throws the problems of a step that cannot be one. */
export function stepAsWritten(raw: RawMap, position: number, place: FlowPlace, { system }: KnownParts): Step {
  const value = literal(raw) as RawMap;
  const placed = { value, source: sourceAt(place), path: [], folder: place.folder };
  const { step, problems } = buildStep(placed, position);
  refuse([...problems, ...targetProblems(placed, stepTargets, system)]);
  if (!step) throw new Error('a step without a problem is there');
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
    ...targetProblems(placed, checkTargets, known.system),
    ...(check ? edgeProblems(check, placed, known) : []),
  ]);
  if (!check) throw new Error('a check without a problem is there');
  return check;
}

/** In code `${…}` has been filled in already; what is left of it is meant as it stands. */
export function literal(value: unknown): unknown {
  return mapTexts(value, escapeReferences);
}

/** A pattern that whatever was seen fulfils. */
export const anything = { $any: [{ $absent: true }, { $present: true }] } as const;

/** What is wrong, in one sentence. */
export function mistakeIn(error: unknown): string {
  if (!(error instanceof Problem) && !(error instanceof Problems)) return String(error);
  return problemsIn(error)
    .map(({ what, allowed, next }) => `${what}; allowed: ${allowed}; ${next}`)
    .join('\n');
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new Problems(problems);
}

/** All of it stands where the flow calls. */
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
