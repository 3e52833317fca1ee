/** Findings about requirements, their sources and trials as written, before anything is performed. */
import path from 'node:path';
import { baseId } from '../kernel/base-id.ts';
import { didYouMean } from '../kernel/nearest.ts';
import { type CoveringTrial, coveringTrials } from './covering.ts';
import { findingOn, listed, nameOf, type RequirementFinding } from './finding.ts';
import { refusalsOf } from './refusals.ts';
import type { Requirement } from './requirement.ts';

/** `folder` is that of the config, `today` a day such as `2026-03-31`. */
export async function writtenFindings(
  requirements: readonly Requirement[],
  trials: readonly CoveringTrial[],
  folder: string,
  today: string,
): Promise<readonly RequirementFinding[]> {
  const covering = coveringTrials(trials);
  const known = requirements.map(({ id }) => id);
  // All cases of a trial cover the same requirements.
  const oncePerTrial = new Map(trials.map((trial) => [baseId(trial.id), trial])).values();
  return [
    ...[...oncePerTrial].flatMap((trial) => coversFindings(trial, known)),
    ...requirements.flatMap((requirement) => [
      ...coveredFindings(requirement, covering.get(requirement.id) ?? []),
      ...expired(requirement, today),
    ]),
    ...(await sourceFindings(requirements, folder)),
  ];
}

function coversFindings(trial: CoveringTrial, known: readonly string[]): RequirementFinding[] {
  const { id, covers, file, coversLine, line } = trial;
  const found = (
    kind: 'unknown-requirement' | 'covered-twice',
    requirement: string,
    text: string,
    next: string,
  ): RequirementFinding => ({
    kind,
    requirement,
    trial: baseId(id),
    file,
    line: coversLine ?? line,
    text,
    next,
  });
  const unknown = new Set(covers.filter((one) => !known.includes(one)));
  const twice = new Set(covers.filter((one, index) => covers.indexOf(one) < index));
  return [
    ...[...unknown].map((one) => {
      const next = didYouMean(one, known, 'correct the id, or declare the requirement');
      const text = `it covers ${JSON.stringify(one)}, and there is no such requirement`;
      return found('unknown-requirement', one, text, next);
    }),
    ...[...twice].map((one) =>
      found('covered-twice', one, `it names ${one} twice`, 'remove one of the two, or correct the other'),
    ),
  ];
}

function coveredFindings(
  requirement: Requirement,
  trials: readonly CoveringTrial[],
): readonly RequirementFinding[] {
  const { deferred, dependsOn, failPath } = requirement;
  // One that depends on others is pending until results show that these are done.
  if (trials.length === 0) return deferred || dependsOn.length > 0 ? [] : [orphaned(requirement)];
  // The checks of a flow are only known after it has run.
  const isShown = trials.some((trial) => trial.kind === 'flow' || refusalsOf(trial).length > 0);
  return failPath && !isShown ? [noFailPath(requirement, trials)] : [];
}

export function orphaned(requirement: Requirement): RequirementFinding {
  return findingOn(
    requirement,
    'orphaned',
    `no trial covers ${nameOf(requirement)}, and it is not deferred`,
    `write \`covers: [${requirement.id}]\` in a trial that shows it, or say why it must wait: \`deferred: { reason: … }\``,
  );
}

export function noFailPath(
  requirement: Requirement,
  trials: readonly { readonly id: string }[],
): RequirementFinding {
  const { failPathFrom: word } = requirement;
  const names = [...new Set(trials.map(({ id }) => baseId(id)))];
  const why = word === undefined ? '' : ` (guessed from “${word}” in its text)`;
  const correct = word === undefined ? '' : '; where it has no failing side, say so in a column “Fail path”';
  return findingOn(
    requirement,
    'no-fail-path',
    `a fail path is demanded of ${nameOf(requirement)}${why}, and nothing in ${listed(names)} expects a refusal`,
    `add a step or check that only a refusal matches: an error status, \`isError: true\`, an exit code, an absence with \`provenBy\`${correct}`,
  );
}

function expired(requirement: Requirement, today: string): RequirementFinding[] {
  const { until = '', reason } = requirement.deferred ?? {};
  if (!/^\d{4}-\d{2}-\d{2}$/.test(until) || until >= today) return [];
  const text = `${nameOf(requirement)} was deferred until ${until}: ${reason}`;
  return [findingOn(requirement, 'expired-deferral', text, 'cover it, or say until when, and why')];
}

/** A missing file, or a renamed section. */
async function sourceFindings(
  requirements: readonly Requirement[],
  folder: string,
): Promise<readonly RequirementFinding[]> {
  const texts = new Map<string, string | undefined>();
  const findings: RequirementFinding[] = [];
  for (const requirement of requirements) {
    const { id, source } = requirement;
    if (!source) continue;
    const { readSource, sectionText } = await import('./markdown/source-section.ts');
    const { file, section } = source;
    if (!texts.has(file)) texts.set(file, await readSource(path.resolve(folder, file)));
    const document = texts.get(file);
    if (document !== undefined && sectionText(document, section, id) !== undefined) continue;
    const fault = document === undefined ? 'and there is no such file' : `which has no section “${section}”`;
    const text = `${nameOf(requirement)} was taken from ${file}, ${fault}`;
    const next = 'correct `source`, and check whether the requirement is still there';
    findings.push(findingOn(requirement, 'lost-source', text, next));
  }
  return findings;
}
