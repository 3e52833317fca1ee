/** The requirements in the plan of a run: their texts, the trials that cover them, findings, gate demands. */
import { defined } from '../../kernel/defined.ts';
import { Problem } from '../../kernel/problem.ts';
import { coveringTrials } from '../../requirements/covering.ts';
import type { RequirementFinding } from '../../requirements/finding.ts';
import { idleGate, type NamedGate } from '../../requirements/gate-findings.ts';
import { type Drift, driftFindings, findDrift } from '../../requirements/history/requirement-drift.ts';
import type { PlannedRequirements } from '../../requirements/planned-requirements.ts';
import type { Catalogue, Requirement } from '../../requirements/requirement.ts';
import { writtenFindings } from '../../requirements/written-findings.ts';
import type { Gate, System } from '../../system/system.ts';
import type { Trial } from '../../trials/trial.ts';
import { type Call, optionText } from '../call/verb.ts';

export async function planRequirements(
  call: Call,
  system: System,
  catalogue: Catalogue | undefined,
  trials: readonly Trial[],
  gate: Gate | undefined,
): Promise<PlannedRequirements | undefined> {
  const asks = namedGate(call, system, gate, catalogue);
  if (!catalogue && asks) throw noRequirements(system, `the gate ${asks.name} demands requirements, but`);
  if (!catalogue) return undefined;
  const { requirements } = catalogue;
  const idle = idleGate(requirements, asks);
  if (idle !== undefined && !call.json) call.terminal.err(call.terminal.paint('dim', idle));
  const declared = trials.flatMap(({ record: { id, covers } }) =>
    covers.length === 0 ? [] : [{ id, covers }],
  );
  if (!asks) return { requirements, declared, findings: [] };
  return {
    requirements,
    declared,
    gate: asks,
    findings: [
      ...(await findingsAsWritten(call, system, requirements, trials)),
      ...(asks.drift === undefined
        ? []
        : driftFindings(await driftOf(call, system, requirements, trials), asks)),
    ],
    ...(optionText(call, 'shard') === undefined ? {} : { isPart: true as const }),
  };
}

/** Undefined where a gate demands no requirements; a built-in gate demands none where none are declared. */
export function namedGate(
  call: Call,
  system: System,
  gate: Gate | undefined,
  catalogue: Catalogue | undefined,
): NamedGate | undefined {
  const name = optionText(call, 'gate');
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
  { clock }: Call,
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
  { env }: Call,
  { folder }: System,
  requirements: readonly Requirement[],
  trials: readonly Trial[],
): Promise<Drift> {
  const covering = coveringTrials(trials.map(({ record, file }) => ({ ...record, file })));
  return findDrift({ folder, requirements, covering, env });
}
