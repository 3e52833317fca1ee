/** What is wrong between requirements and trials as they are written, before anything is performed. Pure. */
import { nearest } from '../kernel/nearest.ts';
import { baseId, type CoveringTrial, coveringTrials } from './covering.ts';
import type { RequirementFinding } from './finding.ts';
import { refusalsOf } from './refusals.ts';
import type { Requirement } from './requirement.ts';

/** `today` is a day such as `2026-03-31`. */
export function staticFindings(
  requirements: readonly Requirement[],
  trials: readonly CoveringTrial[],
  today: string,
): readonly RequirementFinding[] {
  const covering = coveringTrials(trials);
  const known = new Set(requirements.map(({ id }) => id));
  return [
    ...oncePerTrial(trials).flatMap((trial) => coversFindings(trial, known)),
    ...requirements.flatMap((requirement) => [
      ...orphan(requirement, covering),
      ...withoutFailPath(requirement, covering.get(requirement.id) ?? []),
      ...expired(requirement, today),
    ]),
  ];
}

/** The cases of a trial cover the same. */
function oncePerTrial(trials: readonly CoveringTrial[]): readonly CoveringTrial[] {
  return [...new Map(trials.map((trial) => [baseId(trial.id), trial])).values()];
}

function coversFindings(trial: CoveringTrial, known: ReadonlySet<string>): RequirementFinding[] {
  const place = { trial: baseId(trial.id), file: trial.file, line: trial.coversLine ?? trial.line };
  const unknown = [...new Set(trial.covers)].filter((id) => !known.has(id));
  const twice = new Set(trial.covers.filter((id, index) => trial.covers.indexOf(id) < index));
  return [
    ...unknown.map((id): RequirementFinding => {
      const guess = nearest(id, [...known]);
      return {
        kind: 'unknown-requirement',
        requirement: id,
        ...place,
        text: `it covers ${JSON.stringify(id)}, and there is no such requirement`,
        next: guess ? `did you mean \`${guess}\`?` : 'correct the id, or declare the requirement',
      };
    }),
    ...[...twice].map(
      (id): RequirementFinding => ({
        kind: 'covered-twice',
        requirement: id,
        ...place,
        text: `it names ${id} twice`,
        next: 'remove one of the two, or correct the other',
      }),
    ),
  ];
}

/** One that waits for others is pending until results say that these have landed. */
function orphan(
  requirement: Requirement,
  covering: ReadonlyMap<string, readonly CoveringTrial[]>,
): RequirementFinding[] {
  const { id, deferred, dependsOn } = requirement;
  if (covering.has(id) || deferred || dependsOn.length > 0) return [];
  return [orphaned(requirement)];
}

export function orphaned(requirement: Requirement): RequirementFinding {
  return {
    kind: 'orphaned',
    ...placeOf(requirement),
    text: `no trial covers ${nameOf(requirement)}, and it is not deferred`,
    next: `write \`covers: [${requirement.id}]\` in a trial that shows it, or say why it must wait: \`deferred: { reason: … }\``,
  };
}

/** What a flow checks is only known when it has run. */
function withoutFailPath(requirement: Requirement, trials: readonly CoveringTrial[]): RequirementFinding[] {
  if (!requirement.failPath || trials.length === 0 || trials.some(({ kind }) => kind === 'flow')) return [];
  return trials.some((trial) => refusalsOf(trial).length > 0)
    ? []
    : [noFailPath(requirement, [...new Set(trials.map(({ id }) => baseId(id)))])];
}

export function noFailPath(requirement: Requirement, trials: readonly string[]): RequirementFinding {
  const { failPathFrom } = requirement;
  const why = failPathFrom === undefined ? '' : ` (guessed from “${failPathFrom}” in its text)`;
  const correct =
    failPathFrom === undefined ? '' : '; where it has no failing side, say so in a column “Fail path”';
  return {
    kind: 'no-fail-path',
    ...placeOf(requirement),
    text: `a fail path is demanded of ${nameOf(requirement)}${why}, and nothing in ${listed(trials)} expects a refusal`,
    next: `add a step or check that only a refusal fulfils: an error status, \`isError: true\`, an exit code, an absence with \`provenBy\`${correct}`,
  };
}

function expired(requirement: Requirement, today: string): RequirementFinding[] {
  const { deferred } = requirement;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(deferred?.until ?? '') ? deferred?.until : undefined;
  if (day === undefined || day >= today) return [];
  return [
    {
      kind: 'expired-deferral',
      ...placeOf(requirement),
      text: `${nameOf(requirement)} was deferred until ${day}: ${deferred?.reason}`,
      next: 'cover it, or say until when, and why',
    },
  ];
}

/** Where it stands, for a finding. */
export function placeOf({
  id,
  priority,
  file,
  line,
}: Requirement): Pick<RequirementFinding, 'requirement' | 'priority' | 'file' | 'line'> {
  return { requirement: id, ...(priority === undefined ? {} : { priority }), file, line };
}

export function nameOf({ id, title }: Requirement): string {
  return title === undefined ? id : `${id} (${title})`;
}

const mostNamed = 3;

export function listed(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
