/** Puts together what `coverage` shows: requirements, trials, runs, git, the gate; and weighs what is wrong. */
import path from 'node:path';
import { type ReadRun, readExecutedRun } from '../../campaigns/coverage/read-executed-run.ts';
import { Problem } from '../../kernel/problem.ts';
import { type Covered, coverageOf } from '../../requirements/coverage.ts';
import { coveringTrials } from '../../requirements/covering.ts';
import { executedFindings, toldOnce } from '../../requirements/executed-findings.ts';
import type { RequirementFinding } from '../../requirements/finding.ts';
import {
  idleGate,
  type NamedGate,
  uncoveredFindings,
  weighFindings,
} from '../../requirements/gate-findings.ts';
import type { GatheredCoverage } from '../../requirements/gathered-coverage.ts';
import { type Comparison, compareWithRevision } from '../../requirements/history/compare-with-revision.ts';
import { historyFindings } from '../../requirements/history/history-findings.ts';
import { findDrift } from '../../requirements/history/requirement-drift.ts';
import { loadRequirements } from '../../requirements/load-requirements.ts';
import { resultsOf } from '../../requirements/planned-requirements.ts';
import type { Catalogue } from '../../requirements/requirement.ts';
import { sourceFindings } from '../../requirements/source-findings.ts';
import { listed, staticFindings } from '../../requirements/static-findings.ts';
import { trialHash } from '../../requirements/trial-hash.ts';
import type { Gate, System } from '../../system/system.ts';
import { loadTrials } from '../../trials/load-trials.ts';
import type { Trial } from '../../trials/trial.ts';
import { openSystem } from '../open-system.ts';
import { findRun } from '../run/find-run.ts';
import { gateOf } from '../run/run-options.ts';
import { type Call, optionText } from '../verb.ts';
import { coveringRecords } from './covering-records.ts';
import { namedGate, noRequirements, today } from './plan-requirements.ts';

const none: Catalogue = { files: [], requirements: [], notes: [] };

export async function gatherCoverage(call: Call): Promise<GatheredCoverage> {
  const system = await openSystem(call);
  const against = optionText(call, 'against');
  const catalogue = (await loadRequirements(system)) ?? none;
  // With a revision to compare with, the absence of all requirements is the finding.
  if (catalogue === none && against === undefined)
    throw noRequirements(system, 'coverage is that of requirements, and');
  const declaredGate = gateOf(call, system);
  const gate = namedGate(call, system, declaredGate, catalogue === none ? undefined : catalogue);
  const wanted = gate ?? shownByGate(call, declaredGate);
  const trials = await loadTrials(system);
  const runs = await runsOf(call, system, trials);
  const covered = coverageOf({
    system: system.name,
    catalogue,
    declared: trials.map(({ record: { id, covers } }) => ({ id, covers })),
    runs: runs.map(({ executed }) => executed),
  });
  const covering = coveringTrials(trials.map(({ record, file }) => ({ ...record, file })));
  const drift = await findDrift({
    folder: system.folder,
    requirements: catalogue.requirements,
    covering,
    env: call.env,
  });
  const comparison =
    against === undefined ? undefined : await compare(call, against, system, catalogue, trials);
  const findings = toldOnce([
    ...staticFindings(catalogue.requirements, coveringRecords(trials), today(call)),
    ...(await sourceFindings(catalogue.requirements, system.folder)),
    ...resultFindings(catalogue, covered, runs.length, wanted),
    ...historyFindings(drift, gate),
    ...(comparison?.findings ?? []),
  ]);
  return {
    coverage: covered.coverage,
    ...weighFindings(findings, gate),
    ...(gate ? { gate: gate.name } : {}),
    ...(against === undefined ? {} : { against }),
    untold: drift.untold,
    notes: [
      ...catalogue.notes,
      ...gateNotes(call, declaredGate, gate, wanted),
      ...[idleGate(catalogue.requirements, wanted) ?? []].flat(),
      ...runs.flatMap(({ notes }) => notes),
      ...(comparison?.notes ?? []),
      ...(drift.newer.length === 0
        ? []
        : [
            `newer than the last change of their trials, so that nothing can be compared: ${listed(drift.newer)}`,
          ]),
    ],
  };
}

/** A gate without `requirements` performs trials all the same: what those of its priorities cover must have been shown. */
function shownByGate(call: Call, gate: Gate | undefined): NamedGate | undefined {
  const name = optionText(call, 'gate');
  if (name === undefined || !gate) return undefined;
  if (gate.priority) return { name, covered: gate.priority };
  // Tags say nothing about requirements.
  return gate.tags ? undefined : { name, everything: true };
}

function gateNotes(
  call: Call,
  declared: Gate | undefined,
  gate: NamedGate | undefined,
  wanted: NamedGate | undefined,
): readonly string[] {
  if (!declared || gate) return [];
  const which = wanted?.everything
    ? 'all of them'
    : wanted?.covered
      ? `those of ${wanted.covered.join(', ')}`
      : 'none';
  return [
    `the gate ${optionText(call, 'gate')} has no \`requirements\`: ${which} must have been shown by a run, and every other finding counts whatever its priority`,
  ];
}

function resultFindings(
  { requirements }: Catalogue,
  { verdicts, shown, results }: Covered,
  runs: number,
  gate: NamedGate | undefined,
): readonly RequirementFinding[] {
  const nothing: readonly RequirementFinding[] =
    runs === 0 && verdicts.some(({ state }) => state === 'not-executed')
      ? [
          {
            kind: 'nothing-executed',
            text: 'nothing was run here yet, so that no requirement is shown by anything',
            next: 'perform the trials: shakedown run',
          },
        ]
      : [];
  return [
    ...nothing,
    ...executedFindings({ requirements, verdicts, shown, ...resultsOf(results) }),
    ...(gate ? uncoveredFindings(requirements, verdicts, gate) : []),
  ];
}

/** The latest run, unless others are named; none at all is no error, and is told. */
async function runsOf(call: Call, system: System, trials: readonly Trial[]): Promise<readonly ReadRun[]> {
  const hashes = new Map(trials.map(({ record }) => [record.id, trialHash(record)]));
  const words = call.words.length === 0 ? ['latest'] : call.words;
  try {
    const folders = await Promise.all(words.map((word) => findRun(call, word)));
    return await Promise.all(
      [...new Set(folders)].map((folder) =>
        readExecutedRun(folder, path.relative(call.cwd, folder) || folder, { system: system.name, hashes }),
      ),
    );
  } catch (error) {
    if (call.words.length === 0 && error instanceof Problem && error.code === 'run.not-found') return [];
    throw error;
  }
}

function compare(
  call: Call,
  revision: string,
  system: System,
  { requirements }: Catalogue,
  trials: readonly Trial[],
): Promise<Comparison> {
  const trialFiles = [...new Set(trials.map(({ file }) => file))];
  return compareWithRevision(revision, { system, requirements, trialFiles }, call.env);
}
