/** Does what the user would do next, on the user's own configuration: boots it, performs the chosen trials, takes it down. */
import path from 'node:path';
import { bootAlone } from '../../campaigns/doctor/boot-alone.ts';
import { type RunPlan, readOutcome } from '../../campaigns/run/run-plan.ts';
import { selectTrials } from '../../campaigns/run/select-trials.ts';
import { chooseContainment } from '../../environment/containment/containment.ts';
import { checkFixedPorts } from '../../environment/ports/check-fixed-ports.ts';
import { latestRunFolder, makeRunFolder, pointLatest, runFolderOf } from '../../environment/run-folder.ts';
import { problemFromData, problemsIn } from '../../kernel/problem.ts';
import { freshSeed, runId } from '../../kernel/unique-id.ts';
import { chooseVariant } from '../choose-variant.ts';
import type { Interrupts } from '../interrupts.ts';
import { planRun } from '../run/plan-run.ts';
import { runOnce } from '../run/run-once.ts';
import { toolVersion } from '../tool-version.ts';
import type { Call } from '../verb.ts';
import type { LivePlan } from './live-plan.ts';
import type { LiveVisit } from './live-rows.ts';
import type { SuiteLook } from './suite-look.ts';

type Loaded = Extract<SuiteLook, { readonly kind: 'loaded' }>;

export async function visitLive(
  call: Call,
  suite: Loaded,
  { visits }: LivePlan,
  interrupts: Interrupts,
): Promise<LiveVisit & { readonly run?: string }> {
  const chosen = [...new Set(visits.flatMap(({ trial, obstacle }) => (obstacle ? [] : [trial])))];
  try {
    await checkFixedPorts(suite.system);
    return chosen.length === 0
      ? await bootOnly(call, suite, interrupts)
      : await perform(call, suite, chosen, interrupts);
  } catch (error) {
    return { bootMs: undefined, problems: problemsIn(error), leaks: [] };
  }
}

async function perform(
  call: Call,
  { system, trials }: Loaded,
  chosen: readonly string[],
  interrupts: Interrupts,
): Promise<LiveVisit & { readonly run: string }> {
  const latest = latestRunFolder(system.folder);
  const selected = selectTrials(trials, { words: chosen, tags: [], cwd: call.cwd });
  const plan: RunPlan = await planRun(call, system, trials.length, selected, {
    run: runId(call.clock.now()),
    seed: freshSeed(),
    variant: chooseVariant(system, undefined),
    rounds: 1,
    shuffled: false,
    attached: false,
    isolation: undefined,
    answers: {},
    skips: 'allow',
  });
  let bootMs: number | undefined;
  const verdict = await runOnce(call, {
    plan,
    trials: selected.trials,
    parallel: 1,
    containment: await chooseContainment(undefined),
    interrupts,
    quietly: {
      onReady: (ms) => {
        bootMs ??= ms;
      },
    },
  });
  // What the user performed stays the latest, for `judge`, `--last-failed` and the others.
  if (latest !== undefined) pointLatest(system.folder, path.basename(latest));
  const outcome = readOutcome(runFolderOf(system.folder, plan.run));
  const problems = (outcome?.problems ?? []).map(problemFromData);
  return { bootMs, problems, leaks: verdict.leaks, verdict, run: plan.run };
}

async function bootOnly(call: Call, { system }: Loaded, interrupts: Interrupts): Promise<LiveVisit> {
  const { clock, env: hostEnv } = call;
  const run = runId(clock.now());
  const runFolder = makeRunFolder(system.folder, runFolderOf(system.folder, run));
  const interruption = new AbortController();
  const hurry = new AbortController();
  void interrupts.first.then(() => interruption.abort());
  interrupts.onAgain(() => hurry.abort());
  let bootMs: number | undefined;
  const { problems, leaks } = await bootAlone({
    system,
    run,
    runFolder,
    containment: await chooseContainment(undefined),
    seed: freshSeed(),
    variant: chooseVariant(system, undefined),
    tool: `shakedown ${toolVersion()}`,
    clock,
    hostEnv,
    signal: interruption.signal,
    hurry: hurry.signal,
    onStray: (commandLine) => call.terminal.err(`ended a process that was left: ${commandLine}`),
    onEvent: (event) => {
      if (event.type === 'environment.ready') bootMs = event.bootMs;
    },
  });
  return { bootMs, problems, leaks };
}
