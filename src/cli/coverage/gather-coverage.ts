/** Collects the data of `coverage`: requirements, trials, runs, git history and the gate; and rates the findings. */
import path from 'node:path';
import {
  driftOf,
  findingsAsWritten,
  namedGate,
  noRequirements,
} from '../../campaigns/coverage/plan-requirements.ts';
import { readExecutedRun } from '../../campaigns/coverage/read-executed-run.ts';
import { findRun } from '../../campaigns/session/find-run.ts';
import { findGate } from '../../campaigns/session/gates.ts';
import { openSystem } from '../../campaigns/session/open-system.ts';
import { defined } from '../../kernel/defined.ts';
import { Problem } from '../../kernel/problem.ts';
import { type Covered, coverageOf, type GatheredCoverage } from '../../requirements/coverage.ts';
import { executedFindings, withoutRepeats } from '../../requirements/executed-findings.ts';
import { listed, type RequirementFinding } from '../../requirements/finding.ts';
import {
  idleGate,
  type NamedGate,
  uncoveredFindings,
  weighFindings,
} from '../../requirements/gate-findings.ts';
import { compareWithRevision } from '../../requirements/history/compare-with-revision.ts';
import { driftFindings } from '../../requirements/history/requirement-drift.ts';
import { loadRequirements } from '../../requirements/load/load-requirements.ts';
import type { Catalogue, Requirement } from '../../requirements/requirement.ts';
import { trialHash } from '../../requirements/trial-hash.ts';
import type { Gate, System } from '../../system/system.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import type { Trial } from '../../trials/trial.ts';
import { type Call, optionText } from '../call/verb.ts';

const none: Catalogue = { files: [], requirements: [], notes: [] };

export async function gatherCoverage(call: Call): Promise<GatheredCoverage> {
  const system = await openSystem(call);
  const against = optionText(call, 'against');
  const catalogue = (await loadRequirements(system)) ?? none;
  // With a revision to compare with, the missing requirements are the finding.
  if (catalogue === none && against === undefined)
    throw noRequirements(system, 'coverage is measured on requirements, but');
  const declaredGate = findGate(optionText(call, 'gate'), system);
  const gate = namedGate(
    optionText(call, 'gate'),
    system,
    declaredGate,
    catalogue === none ? undefined : catalogue,
  );
  const wanted = gate ?? shownByGate(call, declaredGate);
  const trials = await loadTrials(system);
  const runs = await runsOf(call, system, trials);
  const covered = coverageOf({
    system: system.name,
    catalogue,
    declared: trials.map(({ record: { id, covers } }) => ({ id, covers })),
    runs: runs.map(({ executed }) => executed),
  });
  const { requirements } = catalogue;
  const drift = await driftOf(call, system, requirements, trials);
  const trialFiles = [...new Set(trials.map(({ file }) => file))];
  const comparison =
    against === undefined
      ? undefined
      : await compareWithRevision(against, { system, requirements, trialFiles }, call.env);
  const findings = withoutRepeats([
    ...(await findingsAsWritten(call, system, requirements, trials)),
    ...resultFindings(requirements, covered, runs.length, wanted),
    ...driftFindings(drift, gate),
    ...(comparison?.findings ?? []),
  ]);
  return {
    coverage: covered.coverage,
    ...weighFindings(findings, gate),
    ...defined({ gate: gate?.name, against }),
    undetermined: drift.undetermined,
    notes: [
      ...catalogue.notes,
      ...gateNotes(call, declaredGate, gate, wanted),
      ...[idleGate(catalogue.requirements, wanted) ?? []].flat(),
      ...runs.flatMap(({ notes }) => notes),
      ...(comparison?.notes ?? []),
      ...(drift.newer.length === 0
        ? []
        : [`newer than the last change of their trials, so they cannot be compared: ${listed(drift.newer)}`]),
    ],
  };
}

/** A gate without `requirements` still runs trials: the requirements of its priorities must have been shown. */
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
  requirements: readonly Requirement[],
  covered: Covered,
  runs: number,
  gate: NamedGate | undefined,
): readonly RequirementFinding[] {
  const { verdicts } = covered;
  const nothing: RequirementFinding = {
    kind: 'nothing-executed',
    text: 'nothing was run here yet, so no requirement has been shown',
    next: 'perform the trials: shakedown run',
  };
  return [
    ...(runs === 0 && verdicts.some(({ state }) => state === 'not-executed') ? [nothing] : []),
    ...executedFindings({ requirements, ...covered }),
    ...(gate ? uncoveredFindings(requirements, verdicts, gate) : []),
  ];
}

/** The latest run, unless others are named; having no run is reported, and is not an error. */
async function runsOf(call: Call, system: System, trials: readonly Trial[]) {
  const hashes = new Map(trials.map(({ record }) => [record.id, trialHash(record)]));
  const positionals = call.positionals.length === 0 ? ['latest'] : call.positionals;
  try {
    const folders = await Promise.all(positionals.map((word) => findRun(call, word)));
    return await Promise.all(
      [...new Set(folders)].map((folder) =>
        readExecutedRun(folder, path.relative(call.cwd, folder) || folder, { system: system.name, hashes }),
      ),
    );
  } catch (error) {
    if (call.positionals.length === 0 && error instanceof Problem && error.code === 'run.not-found')
      return [];
    throw error;
  }
}
