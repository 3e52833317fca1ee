/** The requirements in the plan of a run: their texts, the trials that cover them, findings, gate demands. */

import type { LintFinding } from '../../checks/lint-finding.ts';
import { defined } from '../../kernel/defined.ts';
import { Problem } from '../../kernel/problem.ts';
import { coveringTrials } from '../../requirements/covering.ts';
import type { RequirementFinding, RequirementFindingKind } from '../../requirements/finding.ts';
import { idleGate, type NamedGate } from '../../requirements/gate-findings.ts';
import { type Drift, driftFindings, findDrift } from '../../requirements/history/requirement-drift.ts';
import { loadRequirements } from '../../requirements/load/load-requirements.ts';
import type { PlannedRequirements } from '../../requirements/planned-requirements.ts';
import type { Catalogue, Requirement } from '../../requirements/requirement.ts';
import { writtenFindings } from '../../requirements/written-findings.ts';
import type { Gate, System } from '../../system/system.ts';
import type { Trial } from '../../trials/trial.ts';
import type { Host } from '../session/host.ts';

interface PlannedParts {
  readonly system: System;
  readonly catalogue: Catalogue | undefined;
  readonly trials: readonly Trial[];
  readonly gate: Gate | undefined;
}

export async function planRequirements(
  host: Host,
  asked: { readonly gate: string | undefined; readonly shard: object | undefined },
  { system, catalogue, trials, gate }: PlannedParts,
): Promise<PlannedRequirements | undefined> {
  const asks = namedGate(asked.gate, system, gate, catalogue);
  if (!catalogue && asks) throw noRequirements(system, `the gate ${asks.name} demands requirements, but`);
  if (!catalogue) return undefined;
  const { requirements } = catalogue;
  const idle = idleGate(requirements, asks);
  if (idle !== undefined) host.say(idle, 'dim');
  const declared = trials.flatMap(({ record: { id, covers } }) =>
    covers.length === 0 ? [] : [{ id, covers }],
  );
  if (!asks) return { requirements, declared, findings: [] };
  return {
    requirements,
    declared,
    gate: asks,
    findings: [
      ...(await findingsAsWritten(host, system, requirements, trials)),
      ...(asks.drift === undefined
        ? []
        : driftFindings(await driftOf(host, system, requirements, trials), asks)),
    ],
    ...(asked.shard === undefined ? {} : { isPart: true as const }),
  };
}

/** Undefined where a gate demands no requirements; a built-in gate demands none where none are declared. */
export function namedGate(
  name: string | undefined,
  system: System,
  gate: Gate | undefined,
  catalogue: Catalogue | undefined,
): NamedGate | undefined {
  if (name === undefined || !gate?.requirements) return undefined;
  if (Object.hasOwn(system.gates, name)) return { name, ...gate.requirements };
  if (!catalogue) return undefined;
  return gate.requirements.covered === undefined
    ? { name, ...gate.requirements, everything: true }
    : { name, ...gate.requirements };
}

/** No requirements are declared; `but` says what needs them. */
export function noRequirements({ file }: System, but: string): Problem {
  return new Problem({
    code: 'requirement.unreadable',
    where: file,
    what: `${but} this system declares none`,
    allowed:
      '`requirements.yaml` beside the config, or the key `requirements` with paths or globs of files (.yaml, .md)',
    next: 'write one, or take them from a document: shakedown coverage --import spec.md --write requirements.yaml',
  });
}

/** What is wrong with requirements and trials, whatever was performed. */
export function findingsAsWritten(
  { clock }: Host,
  { folder }: System,
  requirements: readonly Requirement[],
  trials: readonly Trial[],
): Promise<readonly RequirementFinding[]> {
  const records = trials.map(({ record, whereIs }) => {
    const coversLine = record.covers.length === 0 ? undefined : whereIs?.('covers').line;
    return { ...record, ...defined({ coversLine }) };
  });
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  return writtenFindings(requirements, records, folder, today);
}

export function driftOf(
  { env }: Host,
  { folder }: System,
  requirements: readonly Requirement[],
  trials: readonly Trial[],
): Promise<Drift> {
  const covering = coveringTrials(trials.map(({ record, file }) => ({ ...record, file })));
  return findDrift({ folder, requirements, covering, env });
}

/** The findings of `lint` on requirements: those that need no run. */
export async function lintRequirements(
  host: Host,
  system: System,
  trials: readonly Trial[],
): Promise<readonly LintFinding[]> {
  const catalogue = await loadRequirements(system);
  if (!catalogue) return [];
  const findings = await findingsAsWritten(host, system, catalogue.requirements, trials);
  return findings.flatMap(asLintFinding);
}

const reasons: Partial<Record<RequirementFindingKind, string>> = {
  'unknown-requirement': 'its result counts for no requirement',
  'covered-twice': 'one of the two was probably meant to be a different one',
  orphaned: 'no trial would fail if the system did not do it',
  'no-fail-path': 'a system that accepts everything would pass',
  'expired-deferral': 'a deferral without an end is forgotten',
  'lost-source': 'it cannot be checked whether the text is still the one that was agreed on',
};

function asLintFinding({ kind, trial, file, line, text, next }: RequirementFinding): LintFinding[] {
  if (file === undefined) return [];
  const why = reasons[kind] ?? 'requirements and trials do not agree';
  const about = trial === undefined ? {} : { trial };
  return [{ kind, level: 'finding', ...about, file, line: line ?? 1, text, why, next }];
}
