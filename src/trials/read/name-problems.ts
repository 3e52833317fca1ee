/** Names within a trial: of steps, of checks, of what they speak about. */
import type { CheckRecord } from '../../checks/trial-record.ts';
import { nearest } from '../../kernel/nearest.ts';
import type { Problem } from '../../kernel/problem.ts';
import type { TrialDocument } from '../document/trial-document.ts';
import type { BuiltStep } from './build-step.ts';
import type { Case } from './cases.ts';
import { type Placed, problemAt, type RawMap } from './placed.ts';
import type { KnownSystem } from './read-trial-file.ts';
import { edgeProblems, type Names, referenceProblems, targetProblems } from './reference-problems.ts';

type DoneStep = NonNullable<BuiltStep['step']>;

export interface TrialParts {
  readonly done: readonly DoneStep[];
  readonly judged: readonly { readonly check: CheckRecord; readonly placed: Placed<RawMap> }[];
  readonly one: Case;
  readonly root: Placed<unknown>;
  readonly document: TrialDocument;
}

const stepTargets = ['http', 'tcp', 'mcp', 'restart', 'stop', 'start', 'kill'];
const checkTargets = ['rows', 'files', 'logs', 'events', 'process'];
const connecting = ['tcp', 'command'];

export function nameProblems(parts: TrialParts, known: KnownSystem): Problem[] {
  return [...stepProblems(parts, known), ...checkProblems(parts, known), ...claimProblems(parts)];
}

function stepProblems({ done, one, document }: TrialParts, known: KnownSystem): Problem[] {
  const all = done.map(({ name }) => name);
  return done.flatMap((step, index) => {
    const { placed, name } = step;
    const { expect, ...rest } = placed.value;
    const names = (upTo: number): Names => ({
      system: known.system,
      steps: all.slice(0, upTo).filter(isNamed),
      later: all.slice(upTo).filter(isNamed),
      caseKeys: one.values && Object.keys(one.values),
      hasCases: document.cases !== undefined,
    });
    return [
      ...targetProblems(placed, stepTargets, known.system),
      ...referenceProblems(
        { ...placed, value: rest },
        { ...names(index), hasBurst: step.burst !== undefined },
      ),
      ...referenceProblems({ ...placed, path: [...placed.path, 'expect'], value: expect }, names(index + 1)),
      ...(isNamed(name) && all.indexOf(name) < index ? [twice(placed, name)] : []),
      ...(isNamed(name) && isTaken(name, known) ? [taken(placed, name)] : []),
      ...(step.kind === 'on' ? onProblems(step, done.slice(0, index)) : []),
    ];
  });
}

function checkProblems({ done, judged, one, document }: TrialParts, known: KnownSystem): Problem[] {
  const steps = done.map(({ name }) => name).filter(isNamed);
  const names: Names = {
    system: known.system,
    steps,
    later: [],
    caseKeys: one.values && Object.keys(one.values),
    hasCases: document.cases !== undefined,
  };
  return judged.flatMap(({ check, placed }) => [
    ...targetProblems(placed, checkTargets, known.system),
    ...referenceProblems(placed, names),
    ...edgeProblems(check, placed, known.edges),
    ...(check.kind === 'exchange' && !steps.includes(String(check.query.exchange))
      ? [unknownStep(placed, ['exchange'], String(check.query.exchange), steps)]
      : []),
  ]);
}

/** Checks and tolerances that are spoken of by their ids. */
function claimProblems({ judged, root, document, done }: TrialParts): Problem[] {
  const ids = judged.map(({ check }) => check.id);
  const claims = judged.flatMap(({ check, placed }) =>
    (check.only ?? []).flatMap((id, index) =>
      ids.includes(id) ? [] : [unknownCheck(placed, ['only', index], id, ids)],
    ),
  );
  const judgeable = [...ids, ...done.map(({ name }) => `step ${name}`)];
  const tolerated = Object.keys(document.atLeast ?? {}).flatMap((id) =>
    judgeable.includes(id) ? [] : [unknownCheck(root, ['atLeast', id], id, ids)],
  );
  const expected = (document.expectedFailure?.checks ?? []).flatMap((id, index) =>
    judgeable.includes(id) || id === 'logs' || id === 'processes'
      ? []
      : [unknownCheck(root, ['expectedFailure', 'checks', index], id, ids)],
  );
  return [...claims, ...tolerated, ...expected];
}

function onProblems(step: DoneStep, before: readonly DoneStep[]): Problem[] {
  const name = String(step.spec.on);
  const opener = before.find((candidate) => candidate.name === name);
  const open = before.filter(({ kind }) => connecting.includes(kind)).map((candidate) => candidate.name);
  if (!opener) return [unknownStep(step.placed, ['on'], name, open)];
  if (connecting.includes(opener.kind) && (opener.kind !== 'command' || opener.spec.stays === true))
    return [];
  return [
    problemAt(step.placed, 'value', ['on'], {
      code: 'trial.unknown-step',
      what: `the step \`${name}\` leaves no connection open`,
      allowed: 'a `tcp` step, or a `command` step with `stays: true`',
      next:
        opener.kind === 'command'
          ? `add \`stays: true\` to \`${name}\``
          : 'name a step that opens a connection',
    }),
  ];
}

function unknownStep(
  placed: Placed<unknown>,
  key: readonly string[],
  name: string,
  known: readonly string[],
): Problem {
  const guess = nearest(name, known);
  return problemAt(placed, 'value', key, {
    code: 'trial.unknown-step',
    what: `there is no step \`as: ${name}\`${key[0] === 'on' ? ' before this one' : ''}`,
    allowed: known.join(', ') || 'no step has a name',
    next: guess ? `did you mean \`${guess}\`?` : `give the step the name: \`as: ${name}\``,
  });
}

function unknownCheck(
  placed: Placed<unknown>,
  key: readonly (string | number)[],
  id: string,
  ids: readonly string[],
): Problem {
  const guess = nearest(id, ids);
  return problemAt(placed, 'value', key, {
    code: 'config.unknown-name',
    what: `there is no check \`${id}\` in this trial`,
    allowed: ids.join(', ') || 'it has no checks',
    next: guess ? `did you mean \`${guess}\`?` : 'correct the id',
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

function taken(placed: Placed<unknown>, name: string): Problem {
  return problemAt(placed, 'value', ['as'], {
    code: 'config.duplicate-name',
    what: `\`${name}\` has a meaning of its own in \`\${…}\``,
    allowed:
      'a name that no service, resource or roster has, and none of trial, case, env, run, environment, config, matrix',
    next: 'choose another name',
  });
}

function isTaken(name: string, { system }: KnownSystem): boolean {
  return (
    ['trial', 'case', 'env', 'run', 'environment', 'config', 'matrix', 'with'].includes(name) ||
    Object.hasOwn(system.rosters, name) ||
    [...system.services, ...system.resources].some((part) => part.name === name)
  );
}

function isNamed(name: string): boolean {
  return !name.startsWith('#');
}
