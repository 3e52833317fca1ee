/** What a run must know of requirements: their texts, who covers them, what is wrong with them already, what the gate asks for. */
import { Problem } from '../../kernel/problem.ts';
import { coveringTrials } from '../../requirements/covering.ts';
import type { RequirementFinding } from '../../requirements/finding.ts';
import { idleGate, type NamedGate } from '../../requirements/gate-findings.ts';
import { historyFindings } from '../../requirements/history/history-findings.ts';
import { findDrift } from '../../requirements/history/requirement-drift.ts';
import type { PlannedRequirements } from '../../requirements/planned-requirements.ts';
import type { Catalogue } from '../../requirements/requirement.ts';
import { sourceFindings } from '../../requirements/source-findings.ts';
import { staticFindings } from '../../requirements/static-findings.ts';
import type { Gate, System } from '../../system/system.ts';
import type { Trial } from '../../trials/trial.ts';
import { type Call, optionText } from '../verb.ts';
import { coveringRecords } from './covering-records.ts';

export async function planRequirements(
  call: Call,
  system: System,
  catalogue: Catalogue | undefined,
  trials: readonly Trial[],
  gate: Gate | undefined,
): Promise<PlannedRequirements | undefined> {
  const asks = namedGate(call, system, gate, catalogue);
  if (!catalogue && asks) throw noRequirements(system, `the gate ${asks.name} asks for requirements, and`);
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
      ...staticFindings(requirements, coveringRecords(trials), today(call)),
      ...(await sourceFindings(requirements, system.folder)),
      ...(asks.drift === undefined ? [] : await driftOf(call, system, catalogue, trials, asks)),
    ],
    ...(optionText(call, 'shard') === undefined ? {} : { isPart: true as const }),
  };
}

/** Undefined where a gate asks nothing of requirements: a usual one does so where there are none. */
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

/** Nothing to hold anything against; `but` says who wanted that. */
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

/** As in `2026-03-31`. */
export function today({ clock }: Call): string {
  return new Date(clock.now()).toISOString().slice(0, 10);
}

async function driftOf(
  call: Call,
  { folder }: System,
  { requirements }: Catalogue,
  trials: readonly Trial[],
  gate: NamedGate,
): Promise<readonly RequirementFinding[]> {
  const covering = coveringTrials(trials.map(({ record, file }) => ({ ...record, file })));
  return historyFindings(await findDrift({ folder, requirements, covering, env: call.env }), gate);
}
