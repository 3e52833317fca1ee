/** Checks names within a trial: of steps, of checks, of what they refer to. */
import type { CheckRecord } from '../../checks/trial-record.ts';
import { didYouMean, unknownName } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { stepKind } from '../../kinds/step-kinds.ts';
import type { TrialDocument } from '../document/trial-document.ts';
import { isolationProblems } from './attached-problems.ts';
import type { BuiltStep } from './build-step.ts';
import type { Case } from './cases.ts';
import { derivedNameProblems } from './derived-name-problems.ts';
import { fileProblems } from './file-problems.ts';
import { type Placed, problemAt, problemsAt, type RawMap } from './placed.ts';
import type { KnownSystem } from './read-trial-file.ts';
import {
  edgeProblems,
  insideProblems,
  type Names,
  referenceProblems,
  speakerProblems,
  targetProblems,
} from './reference-problems.ts';

type DoneStep = NonNullable<BuiltStep['step']>;

/** A malformed step or check is reported already; here only its name counts. */
export interface TrialParts {
  readonly outline: readonly { readonly name: string; readonly step?: DoneStep | undefined }[];
  readonly judged: readonly { readonly check: CheckRecord; readonly placed: Placed<RawMap> }[];
  /** Of all checks. */
  readonly ids: readonly string[];
  readonly one: Case;
  readonly root: Placed<unknown>;
  readonly document: TrialDocument;
}

export function nameProblems(parts: TrialParts, known: KnownSystem): Problem[] {
  return [...stepProblems(parts, known), ...checkProblems(parts, known), ...claimProblems(parts, known)];
}

function stepProblems({ outline, one, document }: TrialParts, known: KnownSystem): Problem[] {
  const named = outline.map(({ name }, index) => ({ name, index })).filter(({ name }) => isNamed(name));
  const before = (upTo: number): string[] => named.flatMap(({ name, index }) => (index < upTo ? [name] : []));
  const from = (upTo: number): string[] => named.flatMap(({ name, index }) => (index < upTo ? [] : [name]));
  return outline.flatMap(({ step, name }, index) => {
    if (!step) return [];
    const { placed } = step;
    const { expect, ...rest } = placed.value;
    const names = (upTo: number): Names => namesIn(known, one, document, before(upTo), from(upTo));
    return [
      ...targetProblems(placed, step.kind, stepKind(step.kind), known.system),
      ...insideProblems(placed, known.system),
      ...referenceProblems(
        { ...placed, value: rest },
        { ...names(index), hasBurst: step.burst !== undefined },
      ),
      ...referenceProblems({ ...placed, path: [...placed.path, 'expect'], value: expect }, names(index + 1)),
      ...(isNamed(name) && before(index).includes(name) ? [twice(placed, name)] : []),
      ...(isNamed(name) && isTaken(name, known) ? [taken(placed, name)] : []),
      ...onProblems(step, outline.slice(0, index)),
      ...fileProblems(
        step,
        outline.slice(0, index).map((one) => one.step?.kind),
        known.system,
      ),
      ...waitProblems(step, before(index), known),
    ];
  });
}

/** What a part of the trial may refer to. */
export function namesIn(
  { system }: KnownSystem,
  one: Case,
  { cases }: TrialDocument,
  steps: readonly string[],
  later: readonly string[] = [],
): Names {
  return {
    system,
    steps: steps.filter(isNamed),
    later,
    caseKeys: one.values && Object.keys(one.values),
    hasCases: cases !== undefined,
  };
}

/** What a step waits for is checked like a check, but only steps before it have a result. */
function waitProblems(
  { when, kind, placed }: DoneStep,
  before: readonly string[],
  known: KnownSystem,
): Problem[] {
  if (!when) return [];
  const key = kind === 'until' ? 'until' : 'when';
  const inner = { ...placed, value: placed.value[key] as RawMap, path: [...placed.path, key] };
  return [
    ...targetProblems(inner, when.kind, checkKind(when.kind), known.system),
    ...edgeProblems(when, inner, known),
    ...(when.kind === 'exchange' && !before.includes(String(when.query.exchange))
      ? [unknownStep(inner, ['exchange'], String(when.query.exchange), before)]
      : []),
  ];
}

function checkProblems({ outline, judged, ids, one, document }: TrialParts, known: KnownSystem): Problem[] {
  const steps = outline.map(({ name }) => name).filter(isNamed);
  const names = namesIn(known, one, document, steps);
  return judged.flatMap(({ check, placed }, index) => [
    ...targetProblems(placed, check.kind, checkKind(check.kind), known.system),
    ...referenceProblems(placed, names),
    ...edgeProblems(check, placed, known),
    ...derivedNameProblems(check, placed, { known, steps, ids }),
    ...(check.kind === 'exchange' && !steps.includes(String(check.query.exchange))
      ? [unknownStep(placed, ['exchange'], String(check.query.exchange), steps)]
      : []),
    ...(judged.findIndex((other) => other.check.id === check.id) < index
      ? [sameCheck(placed, check.id)]
      : []),
  ]);
}

/** Checks, tolerances and allowances that are referred to by name. */
function claimProblems(
  { judged, root, document, outline, ids }: TrialParts,
  { system }: KnownSystem,
): Problem[] {
  const claims = judged.flatMap(({ check, placed }) =>
    (check.only ?? []).flatMap((id, index) =>
      ids.includes(id) ? [] : [unknownCheck(placed, ['only', index], id, ids)],
    ),
  );
  const judgeable = [...ids, ...outline.map(({ name }) => `step ${name}`)];
  const { attempts = 1 } = document;
  const tolerated = Object.entries(document.atLeast ?? {}).flatMap(([id, least]) => {
    if (!judgeable.includes(id)) return [unknownCheck(root, ['atLeast', id], id, ids, 'key')];
    return typeof least === 'number' && least > attempts ? [tooOften(root, id, least, attempts)] : [];
  });
  const expected = (document.expectedFailure?.checks ?? []).flatMap((id, index) =>
    judgeable.includes(id) || ['logs', 'processes', 'timeout', 'flow'].includes(id)
      ? []
      : [unknownCheck(root, ['expectedFailure', 'checks', index], id, ids)],
  );
  return [
    ...claims,
    ...tolerated,
    ...expected,
    ...speakerProblems(root, document, system),
    ...isolationProblems(root, document, system),
  ];
}

function tooOften(root: Placed<unknown>, id: string, least: number, attempts: number): Problem {
  return problemAt(root, 'value', ['atLeast', id], {
    code: 'config.bad-value',
    what: `\`${id}\` must hold in ${least} of ${attempts} attempts`,
    allowed: `a number from 1 to ${attempts}, or a share such as \`80%\``,
    next: 'say less, or more `attempts`',
  });
}

function onProblems(step: DoneStep, before: TrialParts['outline']): Problem[] {
  const name = stepKind(step.kind).continues?.(step.spec);
  if (name === undefined) return [];
  const found = before.find((candidate) => candidate.name === name);
  const open = before.filter((other) => other.step && isConnection(other.step)).map((other) => other.name);
  if (!found) return [unknownStep(step.placed, ['on'], name, open)];
  const opener = found.step;
  if (!opener || isConnection(opener)) return [];
  const { opensWith } = stepKind(opener.kind);
  return problemsAt(step.placed, 'value', ['on'], {
    code: 'trial.unknown-step',
    what: `the step \`${name}\` leaves no connection open`,
    allowed: 'a `tcp` step, or a `command` step with `stays: true`',
    next:
      opensWith === undefined ? 'name a step that opens a connection' : `add \`${opensWith}\` to \`${name}\``,
  });
}

function isConnection({ kind, spec }: DoneStep): boolean {
  return stepKind(kind).opens?.(spec) === true;
}

function unknownStep(
  placed: Placed<unknown>,
  key: readonly string[],
  name: string,
  known: readonly string[],
): Problem {
  return problemAt(placed, 'value', key, {
    code: 'trial.unknown-step',
    what: `there is no step \`as: ${name}\`${placed.path[0] === 'steps' ? ' before this one' : ''}`,
    allowed:
      known.join(', ') || (key[0] === 'on' ? 'none before it opens a connection' : 'no step has a name'),
    next: didYouMean(name, known, `give the step the name: \`as: ${name}\``),
  });
}

function unknownCheck(
  placed: Placed<unknown>,
  key: readonly (string | number)[],
  id: string,
  ids: readonly string[],
  at: 'key' | 'value' = 'value',
): Problem {
  return problemAt(placed, at, key, {
    what: `there is no check \`${id}\` in this trial`,
    ...unknownName(id, ids, 'correct the id', 'it has no checks'),
  });
}

function twice(placed: Placed<unknown>, name: string): Problem {
  return problemAt(placed, 'value', ['as'], {
    code: 'config.duplicate-name',
    what: `two steps are called \`${name}\``,
    allowed: 'a name of its own for every step',
    next: 'rename one of them',
  });
}

function sameCheck(placed: Placed<unknown>, id: string): Problem {
  return problemAt(placed, 'key', [], {
    code: 'config.duplicate-name',
    what: `two checks are called \`${id}\``,
    allowed: 'an id of its own for every check, those of fragments included',
    next: 'rename one of them',
  });
}

function taken(placed: Placed<unknown>, name: string): Problem {
  return problemAt(placed, 'value', ['as'], {
    code: 'config.duplicate-name',
    what: `\`${name}\` has a meaning of its own in \`\${…}\``,
    allowed: `a name that no service, resource or roster has, and none of ${takenNames.join(', ')}`,
    next: 'choose another name',
  });
}

function isTaken(name: string, { system }: KnownSystem): boolean {
  return (
    takenNames.includes(name) ||
    Object.hasOwn(system.rosters, name) ||
    [...system.services, ...system.resources].some((part) => part.name === name)
  );
}

const takenNames = ['trial', 'case', 'burst', 'with', 'env', 'run', 'environment', 'config', 'matrix'];

function isNamed(name: string): boolean {
  return !name.startsWith('#');
}
