/** Reads one trial file into the trials that it declares: one, or one for every case. */
import path from 'node:path';
import type { z } from 'zod';
import type { CheckRecord, Golden, TrialRecord } from '../../checks/trial-record.ts';
import { defined } from '../../kernel/defined.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { readPlainFile } from '../../kernel/folders/own-file.ts';
import { Problem, Problems, problemsIn, refuse } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { stepKind } from '../../kinds/step-kinds.ts';
import { referencesIn } from '../../patterns/scope.ts';
import { sortProblems } from '../../system/check/sort-problems.ts';
import { readText } from '../../system/source/read-text.ts';
import { type ParsedDocument, parseYamlDocument } from '../../system/source/yaml-document.ts';
import type { System } from '../../system/system.ts';
import { type TrialDocument, trialDocument } from '../document/trial-document.ts';
import type { Step, Trial } from '../trial.ts';
import { buildCheck } from './build-check.ts';
import { type BuiltStaging, buildStaging, findStaging, type StagingParts } from './build-staging.ts';
import { type BuiltStep, buildStep } from './build-step.ts';
import { type Case, casesOf } from './cases.ts';
import { expandParts, type Parts } from './expand-parts.ts';
import { fillPart } from './fill-values.ts';
import { idleCheckProblems, idleStepProblems } from './idle-problems.ts';
import { nameProblems, namesIn } from './name-problems.ts';
import { placeOf } from './place-of.ts';
import { type Placed, type RawMap, shapeProblems } from './placed.ts';
import { recordOfDisturb } from './record-of-disturb.ts';
import { hashOf, judgedOptions, performedOptions } from './trial-options.ts';

type DoneStep = NonNullable<BuiltStep['step']>;

export interface KnownSystem {
  readonly system: System;
  /** `switchboard -> health`, recorded programs included. */
  readonly edges: readonly string[];
}

/** What is read in place of what the file has. */
export interface TrialEdit {
  readonly file: string;
  readonly text?: string;
  /** YAML of checks, as below `checks`: each takes the place of the one of its name, or is added. */
  readonly checks?: string;
}

export async function readTrialFile(
  file: string,
  known: KnownSystem,
  edit?: TrialEdit,
): Promise<readonly Trial[]> {
  const text = edit?.text ?? (await readText(file, { noun: 'trial', unreadable: 'trial.unreadable' }));
  const parsed = parseYamlDocument(file, text, 'trial.syntax');
  const root: Placed<unknown> = { ...parsed, path: [] };
  const problems = shapeProblems(root, trialDocument, () => false);
  const document = soundPart(parsed.value);
  if (!document) throw new Problems(sortProblems(problems));
  const [parts, staging] = await Promise.all([
    expandParts({ ...parsed, value: document }, file).then((found) => withChecks(found, edit?.checks)),
    findStaging(document, root, path.dirname(file)),
  ]).catch((error: unknown) => {
    throw problems.length === 0 ? error : new Problems(sortProblems([...problems, ...problemsIn(error)]));
  });
  const trials = casesOf(document, root, known.system).flatMap((one) => {
    const built = buildCase(parts, staging, one, document, root, known);
    problems.push(...built.problems);
    return problems.length > 0 ? [] : [toTrial(document, parsed, file, built, one, known.system)];
  });
  refuse(sortProblems(withoutRepeats(problems)));
  return trials;
}

/** The well-formed parts, so that one mistake does not hide another; undefined without steps or checks. */
function soundPart(value: unknown): TrialDocument | undefined {
  if (
    !trialDocument.pick({ steps: true, checks: true, use: true, cases: true }).strip().safeParse(value)
      .success
  )
    return undefined;
  const shape: Readonly<Record<string, z.ZodType>> = trialDocument.shape;
  const sound = Object.entries(value as RawMap).filter(
    ([key, inner]) => Object.hasOwn(shape, key) && shape[key]?.safeParse(inner).success,
  );
  return Object.fromEntries(sound) as TrialDocument;
}

function withChecks(parts: Parts, text: string | undefined): Parts {
  if (text === undefined) return parts;
  const parsed = parseYamlDocument('checks', text, 'trial.syntax');
  refuse(shapeProblems({ ...parsed, path: [] }, trialDocument.shape.checks, () => false));
  const own = Object.entries(parsed.value as Readonly<Record<string, RawMap>>);
  const isOwn = new Set(own.map(([id]) => id));
  const edited = own.map(([id, value]) => [id, { ...parsed, value, path: [id] }] as const);
  return { ...parts, checks: [...parts.checks.filter(([id]) => !isOwn.has(id)), ...edited] };
}

interface BuiltCase {
  readonly steps: readonly DoneStep[];
  readonly checks: readonly CheckRecord[];
  /** The checks with their positions. */
  readonly judged: readonly { readonly check: CheckRecord; readonly placed: Placed<unknown> }[];
  readonly staging: BuiltStaging;
  readonly problems: readonly Problem[];
}

/** The case is filled in first, so that names, edges and patterns are known before anything runs. */
function buildCase(
  parts: Parts,
  stagingParts: StagingParts,
  one: Case,
  document: TrialDocument,
  root: Placed<unknown>,
  known: KnownSystem,
): BuiltCase {
  const fill = <Part extends Placed<RawMap>>(part: Part): Part => fillPart(part, 'case', one.values);
  const steps = parts.steps.map((placed, index) => buildStep(fill(placed), index + 1));
  const checks = parts.checks.map(([id, part]) => {
    const placed = fill(part);
    return { ...buildCheck(id, placed), placed };
  });
  const done = steps.flatMap(({ step }) => (step ? [step] : []));
  const judged = checks.flatMap(({ check, placed }) => (check ? [{ check, placed }] : []));
  const outline = steps.map(({ step, name }) => ({ name, step }));
  const ids = parts.checks.map(([id]) => id);
  // Script lines are used at any time: every step may have a result by then.
  const names = outline.map(({ name }) => name);
  const staging = buildStaging(stagingParts, one, namesIn(known, one, document, names), known);
  const problems = [
    ...[...steps, ...checks].flatMap((built) => built.problems),
    ...done.flatMap(({ placed }) => idleStepProblems(placed)),
    ...judged.flatMap(({ check, placed }) => idleCheckProblems(check, placed, trialId(document, one))),
    ...nameProblems({ outline, judged, ids, one, root, document }, known),
    ...staging.problems,
  ];
  return { steps: done, checks: judged.map(({ check }) => check), judged, staging, problems };
}

/** A mistake that occurs in every case is reported once, for the first. */
function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}

function trialId({ id }: TrialDocument, one: Case): string {
  return one.name === undefined ? id : `${id}[${one.name}]`;
}

function toTrial(
  document: TrialDocument,
  { source }: ParsedDocument,
  file: string,
  { steps, checks, judged, staging }: BuiltCase,
  one: Case,
  system: System,
): Trial {
  const id = trialId(document, one);
  const relative = path.relative(system.folder, file);
  const { title } = document;
  const record: TrialRecord = {
    id,
    ...defined({ title }),
    file: relative,
    line: source.keyPosition(one.name === undefined ? ['id'] : ['cases', one.name]).line,
    kind: 'yaml',
    ...judgedOptions(document, system),
    written: writtenHash(steps, staging),
    steps: steps.map(({ name, kind, line, expect, rung, spec }) => ({
      name,
      line,
      driver: kind,
      ...defined({ expect, rung }),
      ...targetOf(kind, spec, steps),
      ...usedBy(spec, steps),
    })),
    ...(staging.disturbs.length === 0 ? {} : { disturbs: staging.disturbs.map(recordOfDisturb) }),
    checks: checks.map((check) =>
      check.golden ? { ...check, golden: goldenOf(system.folder, id, check.id) } : check,
    ),
  };
  return {
    record,
    file,
    folder: path.dirname(file),
    whereIs: (part) => {
      if (part === 'id' && one.name !== undefined) return source.keyPosition(['cases', one.name]);
      if (typeof part === 'object' && 'provenBy' in part)
        return source.valuePosition(['checks', part.provenBy, 'provenBy']);
      const placed = placeOf(part, { steps, judged, staging });
      if (placed) return placed.source.keyPosition(placed.path);
      return source.valuePosition([typeof part === 'string' ? part : 'id']);
    },
    ...defined({ case: one.values }),
    steps: steps.map(({ line: _line, placed: _placed, ...step }): Step => step),
    scripts: staging.scripts,
    awaits: staging.awaits,
    disturbs: staging.disturbs,
    ...performedOptions(document, system),
  };
}

/** Hashes what the trial does, without its checks: attempts with the same hash can be compared. */
function writtenHash(steps: readonly DoneStep[], { scripts, disturbs }: BuiltStaging): string {
  const done = steps.map(({ name, kind, spec, burst, when }) => [
    ...[name, kind, spec, burst],
    when && { ...when, line: undefined, title: undefined },
  ]);
  const text = JSON.stringify([done, scripts, disturbs.map(({ from, to, rule }) => [from, to, rule])]);
  return hashOf(text);
}

/** References to other steps, not those to the case or to addresses. */
function usedBy(spec: RawMap, steps: readonly DoneStep[]): { readonly uses?: readonly string[] } {
  const uses = referencesIn(spec).flatMap(({ reference, path: [step = ''] }) =>
    steps.some(({ name }) => name === step) ? [reference] : [],
  );
  return uses.length === 0 ? {} : { uses: [...new Set(uses)] };
}

/** The service or resource that a step addresses; on a connection, the one to which it was opened. */
function targetOf(kind: string, spec: RawMap, steps: readonly DoneStep[]): { readonly to?: string } {
  const { continues, target, isForeign } = stepKind(kind);
  if (isForeign) return {};
  if (continues) {
    const opener = steps.find(({ name }) => name === continues(spec));
    return opener && !stepKind(opener.kind).continues ? targetOf(opener.kind, opener.spec, steps) : {};
  }
  const written = spec[kind];
  const to = typeof written === 'string' ? target?.(written)?.name : undefined;
  return to === undefined || !/^[a-z]/.test(to) ? {} : { to };
}

export function goldenOf(systemFolder: string, trial: string, check: string): Golden {
  const file = path.join('shakedown', 'golden', ...trial.split('/'), `${check}.json`);
  try {
    const text = readPlainFile(path.join(systemFolder, file)).toString('utf8');
    return { file, accepted: parseExactJson(text) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return { file };
    throw new Problem({
      code: 'trial.unreadable',
      where: path.join(systemFolder, file),
      what: `the golden output of the check \`${check}\` cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      allowed: 'the JSON that `shakedown judge --accept` has written, or no file',
      next: 'restore it from git, or remove it, run the trial, and accept what it shows: shakedown judge latest --accept',
      cause: error,
    });
  }
}
