/** Boots the system, mutates each service in turn, names trials that stay green, and compares with the baseline. */
import path from 'node:path';
import { writeDocument, writeFindings } from '../../../journal/write-redacted.ts';
import { type ExitCode, exitCodes } from '../../../kernel/exit-codes.ts';
import type { Problem } from '../../../kernel/problem.ts';
import { loadTrials } from '../../../trials/load/load-trials.ts';
import { findRun } from '../../session/find-run.ts';
import type { Host } from '../../session/host.ts';
import { environmentsForMutants } from '../../session/how-many-environments.ts';
import { type Interrupts, sessionExitCode } from '../../session/interrupts.ts';
import { leftBehindProblems } from '../../session/leftovers.ts';
import { machineSlowness } from '../../session/machine-slowness.ts';
import {
  type EnvironmentRequest,
  environmentsOf,
  identifyRun,
  openSession,
} from '../../session/open-session.ts';
import { openSystem } from '../../session/open-system.ts';
import type { Held } from '../baseline.ts';
import { type BaselineChange, readBaseline, settleBaseline } from '../baseline-file.ts';
import { sabotageRun } from '../sabotage-run.ts';
import {
  coverCounterfactuals,
  judgedMutants,
  type LiveFinding,
  type LiveOptions,
  type LiveSabotage,
  sabotageLive,
} from './sabotage-live.ts';
import { readEvidence } from './stored-evidence.ts';

export interface SabotageRequest extends Pick<EnvironmentRequest, 'containment'>, BaselineChange {
  /** The run whose evidence tells what each trial touches. */
  readonly run: string;
  readonly parallel: number | undefined;
  /** No more attempts are started after this. */
  readonly withinMs: number | undefined;
}

export interface MutantsView extends Pick<LiveOptions, 'onPlanned' | 'onTried'> {
  say(text: string): void;
}

export type SabotagedSuite = Awaited<ReturnType<typeof sabotageSuite>>;

export async function sabotageSuite(
  host: Host,
  request: SabotageRequest,
  interrupts: Interrupts,
  view: MutantsView,
) {
  const { withinMs } = request;
  const system = await openSystem(host);
  const stored = await findRun(host, request.run);
  const trials = await loadTrials(system);
  const evidence = await readEvidence(stored, trials);
  const baseline = await readBaseline(system.folder);
  const parallel = environmentsForMutants(system, request.parallel);
  const { seed, variant } = evidence;
  const identity = { ...identifyRun(host, system, { seed }), variant };
  const { run, tool } = identity;
  const about = { run, seed, tool };
  const session = await openSession(host, {
    system,
    identity,
    interrupts,
    containment: request.containment,
    writePlan: (folder) =>
      writeDocument(path.join(folder, 'plan.json'), {
        schemaVersion: 1,
        kind: 'sabotage',
        ...about,
        of: evidence.run,
      }),
    say: view.say,
  });
  const { endings, folder } = session;
  const { live, problems, leaks } = await sabotageLive({
    system,
    evidence,
    parallel,
    environments: environmentsOf(session),
    folder: path.join(folder, 'mutants'),
    about,
    clock: host.clock,
    slowness: machineSlowness,
    signal: endings.signal,
    ...(withinMs === undefined ? {} : { withinMs }),
    ...view,
  });
  endings.stopListening();
  const { counterfactual: declared } = await sabotageRun(stored);
  const counterfactual = coverCounterfactuals(declared, evidence.trials, live.outcomes);
  writeFindings(path.join(folder, 'sabotage-live.json'), { ...live, counterfactual }, session.redactor);
  const signal = endings.interruptedBy();
  const isJudged = judgedMutants(
    live.outcomes,
    trials.map(({ record }) => record.id),
  );
  // An unfinished run decides nothing about the baseline.
  const change = signal === undefined && problems.length === 0 ? request : undefined;
  const held = await settleBaseline(baseline, 'live', live.findings, change, isJudged);
  const shown = [...problems, ...leftBehindProblems(leaks)];
  const exitCode = sessionExitCode(signal, codesOf(live, held, shown));
  return { live, ...held, counterfactual, problems: shown, exitCode, runFolder: session.shown };
}

function codesOf(
  live: LiveSabotage,
  { open, stale }: Held<'live', LiveFinding>,
  problems: readonly Problem[],
): readonly ExitCode[] {
  const isShown = live.noticed + live.findings.length > 0 || live.left.length > 0;
  const isHonest = open.length === 0 && stale.length === 0 && live.undecided.length === 0 && isShown;
  return [
    ...problems.map(({ exitCode }) => exitCode),
    ...(isHonest || problems.length > 0 ? [] : [exitCodes.dishonest]),
    ...(live.left.length > 0 ? [exitCodes.budget] : []),
  ];
}
