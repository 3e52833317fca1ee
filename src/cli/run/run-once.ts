/** One run from its plan to its verdict: environments, trials, judging, reports. */
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { flakeLedger } from '../../campaigns/flakes/flake-ledger.ts';
import { readStoredRuns } from '../../campaigns/flakes/stored-runs.ts';
import { greenOf, keepGreens, layOutGreens } from '../../campaigns/run/green-store.ts';
import { judgeRun } from '../../campaigns/run/judge-run.ts';
import { attachStage, bootStage, type LiveStage, type StageOptions } from '../../campaigns/run/live-stage.ts';
import { type RunPlan, writeOutcome, writeRunPlan } from '../../campaigns/run/run-plan.ts';
import { type RunListener, runTrials } from '../../campaigns/run/run-trials.ts';
import type { StageSource } from '../../campaigns/run/stage-holder.ts';
import { judgedBadly } from '../../checks/judged-badly.ts';
import type { RunVerdict } from '../../checks/verdict.ts';
import type { Containment } from '../../environment/containment/containment.ts';
import { redactorFor } from '../../environment/redactor-for.ts';
import { makeRunFolder, presentRun, runFolderOf } from '../../environment/run-folder.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { removeEmptyFolder } from '../../kernel/folders/entries-below.ts';
import type { Problem, ProblemData } from '../../kernel/problem.ts';
import { tellRecorded } from '../../report/recording/tell-recorded.ts';
import { tellKnownFlakes } from '../../report/terminal/tell-flakes.ts';
import { tellRun } from '../../report/terminal/tell-run.ts';
import type { Trial } from '../../trials/trial.ts';
import { againCommand } from '../again-command.ts';
import type { Interrupts } from '../interrupts.ts';
import { type Live, notUp } from '../live-environment.ts';
import { tellProblems } from '../tell-problems.ts';
import type { Call } from '../verb.ts';
import { lastVerdict } from './find-run.ts';
import { holdForDebugging } from './hold-for-debugging.ts';
import { type Endings, listenForEndings } from './listen-for-endings.ts';
import { openRunView, type RunView } from './run-view.ts';
import { whyFailed } from './why-failed.ts';
import { writeReports } from './write-reports.ts';

export interface RunOnce {
  readonly plan: RunPlan;
  readonly trials: readonly Trial[];
  readonly parallel: number;
  readonly containment: Containment;
  /** The environment to perform on; ours when absent. */
  readonly live?: Live;
  readonly interrupts: Interrupts;
  /** Somebody else tells what came of it; hears when an environment is ready. */
  readonly quietly?: { onReady(bootMs: number): void };
}

export async function runOnce(call: Call, once: RunOnce): Promise<RunVerdict> {
  const { plan, interrupts } = once;
  const { folder: systemFolder } = plan.system;
  const earlier = lastVerdict(systemFolder);
  const folder = makeRunFolder(systemFolder, runFolderOf(systemFolder, plan.run));
  const redactor = redactorFor(plan.system, call.env);
  writeRunPlan(folder, plan, redactor);
  layOutGreens(
    systemFolder,
    folder,
    once.trials.map(({ record }) => record.id),
  );
  await presentRun(systemFolder, plan.run);
  linkServices(folder, once.live);
  const shown = path.relative(call.cwd, folder) || folder;
  const view = openRunView({
    terminal: call.terminal,
    clock: call.clock,
    plan,
    earlierMs: new Map(
      (earlier?.trials ?? [])
        .filter(({ attempts }) => attempts > 0)
        .map(({ id, durationMs, attempts }) => [id, durationMs / attempts]),
    ),
    parallel: once.parallel,
    runFolder: shown,
    greenOf: (trial) => greenOf(folder, trial),
    silent: call.json || once.quietly !== undefined,
  });
  const endings = listenForEndings(interrupts, view.say);
  const startedAt = call.clock.now();
  const outcome = await runTrials({
    plan,
    folder,
    trials: once.trials,
    parallel: once.parallel,
    clock: call.clock,
    signal: endings.signal,
    stages: stageSource(call, once, folder, view, endings),
    listener: listenerFor(call, once, view, endings),
  }).finally(() => {
    view.close();
    endings.stopListening();
  });
  const interruptedBy = endings.interruptedBy();
  writeOutcome(folder, { ...outcome, ...(interruptedBy ? { interruptedBy } : {}) }, redactor);
  const verdict = await judgeRun(folder);
  await keepGreens(systemFolder, folder, verdict);
  await writeReports(folder, verdict, { startedAt, stoppedAt: call.clock.now() }, redactor);
  if (!once.quietly) printEnd(call, verdict, outcome.problems, shown, systemFolder);
  return verdict;
}

function printEnd(
  call: Call,
  verdict: RunVerdict,
  problems: readonly ProblemData[],
  runFolder: string,
  systemFolder: string,
): void {
  if (call.json) {
    call.terminal.out(JSON.stringify(verdict));
    return;
  }
  if (problems.length > 0) call.terminal.err(`${tellProblems(problems, call.terminal)}\n`);
  const { columns, paint, hint } = call.terminal;
  const verb = call.options.recording === undefined ? 'run' : 'record';
  const options = { columns, paint, hint, runFolder, again: againCommand(call, verb, verdict.seed) };
  const failed = verdict.trials.some((trial) => trial.verdict === 'failed' || trial.verdict === 'unstable');
  const known = failed ? tellKnownFlakes(verdict, flakeLedger(readStoredRuns(systemFolder)), options) : [];
  call.terminal.out(['', ...tellRun(verdict, options, known)].join('\n'));
}

function listenerFor(
  call: Call,
  { plan, interrupts }: RunOnce,
  view: RunView,
  endings: Endings,
): RunListener {
  const hold = (what: string, ask: Parameters<typeof holdForDebugging>[2]): Promise<void> =>
    endings.whileAsking(async () => {
      view.close();
      call.terminal.err(`${what}\nthe environment is held (seed ${plan.seed})`);
      await holdForDebugging(call, interrupts, ask);
    });
  return {
    trialStarted: (trial, attempt) => view.started(trial, attempt),
    trialEnded: async (trial, attempt, _ending, folder) => {
      const { verdict, quarantined } = await view.ended(trial, attempt, folder);
      const isBad = judgedBadly(verdict) && !quarantined;
      return call.options.bail === true && isBad ? 'stop' : 'go-on';
    },
    ...(call.options.debug === true
      ? {
          stepFailed: async (trial, step, stage, folder) =>
            hold(`${trial.record.id}: ${await whyFailed(call.clock, folder, step)}`, stage.ask),
          checksFailed: (trial, failed, stage) => hold(`${trial.record.id}: ${failed} failed`, stage.ask),
        }
      : {}),
  };
}

function stageSource(
  call: Call,
  once: RunOnce,
  folder: string,
  view: RunView,
  { signal, hurry }: Endings,
): StageSource {
  const { plan, live } = once;
  const { clock, env: hostEnv } = call;
  const sayDim = (text: string): void => view.say(call.terminal.paint('dim', text));
  let opened = 0;
  const options: StageOptions = {
    system: plan.system,
    run: plan.run,
    runFolder: folder,
    containment: once.containment,
    seed: plan.seed,
    variant: plan.variant,
    tool: plan.tool,
    clock,
    hostEnv,
    signal,
    hurry,
    onStray: (commandLine) => view.say(`ended a process that outlived its trial: ${commandLine}`),
    onEvent: (event) => {
      if (event.type === 'environment.ready') once.quietly?.onReady(event.bootMs);
      if (event.type === 'environment.ready' && !live)
        sayDim(`environment ready after ${formatDuration(event.bootMs)}`);
      if (event.type === 'peer.recorded') view.say(tellRecorded(event));
    },
  };
  const open = async (): Promise<LiveStage> => {
    opened += 1;
    if (!live) return bootStage(options, opened);
    const held = live.plan;
    const stage = await attachStage(options, held);
    if (!stage) throw notUp(plan.system.folder);
    if (held.system.configHash !== plan.system.configHash)
      view.say('the config has changed since this environment was started; it is as it was');
    return stage;
  };
  const onLost = (problem: Problem | undefined): void => {
    // There is no other one to perform on, unless it was taken down and started again meanwhile.
    if (live && problem && problem.code !== 'shakedown.keeper-died') throw problem;
    sayDim(`the environment could not be renewed and is replaced: ${problem?.message}`);
  };
  let isTold = false;
  const onSlowRestart: StageSource['onSlowRestart'] = ({ service, allMs }) => {
    if (isTold) return;
    isTold = true;
    const took = `restart waited ${formatDuration(allMs)} for services to end, ${service} the longest`;
    sayDim(`${took}; isolation: fresh ends them at once, and restores databases and folders too`);
  };
  return { open, repair: live ? 'restart' : 'fresh', signal, onLost, onSlowRestart };
}

/** Logs of services stand where every run has them; those of further environments in `environments/`. */
function linkServices(folder: string, live: Live | undefined): void {
  const target = live ? path.join(live.runFolder, 'services') : path.join('environments', '1', 'services');
  removeEmptyFolder(path.join(folder, 'services'));
  symlinkSync(target, path.join(folder, 'services'));
}
