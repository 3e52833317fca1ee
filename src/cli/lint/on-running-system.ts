/** A running system to look at: the one that is up in this folder, or one that is booted for it and taken down after. */
import { attachStage, bootStage, type LiveStage, type StageOptions } from '../../campaigns/run/live-stage.ts';
import { chooseContainment } from '../../environment/containment/containment.ts';
import { checkFixedPorts } from '../../environment/ports/check-fixed-ports.ts';
import { forgetRunFolder, makeRunFolder, runFolderOf } from '../../environment/run-folder.ts';
import { type Problem, Problems } from '../../kernel/problem.ts';
import { freshSeed, runId } from '../../kernel/unique-id.ts';
import type { System } from '../../system/system.ts';
import type { Stage } from '../../trials/perform/stage.ts';
import { chooseVariant } from '../choose-variant.ts';
import type { Interrupts } from '../interrupts.ts';
import { leftBehindProblem } from '../left-behind.ts';
import { findLive, notUp } from '../live-environment.ts';
import { reapAndTell } from '../reap-and-tell.ts';
import { toolVersion } from '../tool-version.ts';
import { type Call, optionText } from '../verb.ts';
import { wantedContainment } from '../wanted-containment.ts';

/** Undefined when it was interrupted. */
export async function onRunningSystem<Result>(
  call: Call,
  system: System,
  interrupts: Interrupts,
  look: (stage: Stage, signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const options = await stageOptions(call, system, interrupts);
  const live = call.options.attach === true ? await attach(call, options) : await boot(call, options);
  let looked: Result | undefined;
  try {
    // Whoever is interrupted while it boots gets what there is of it.
    if (!options.signal.aborted) looked = await look(live.stage, options.signal);
  } catch (error) {
    await live.end('lint could not look at it');
    if (!options.signal.aborted) throw error;
    return undefined;
  }
  const { leaks, problems } = await live.end('lint has seen enough');
  const wrong: readonly Problem[] = [...problems, ...(leaks.length > 0 ? [leftBehindProblem(leaks)] : [])];
  if (wrong.length > 0) throw new Problems(wrong);
  // Nothing was performed in it, and nothing of it is evidence.
  await forgetRunFolder(system.folder, options.runFolder);
  return looked;
}

async function stageOptions(call: Call, system: System, interrupts: Interrupts): Promise<StageOptions> {
  const abort = new AbortController();
  const hurry = new AbortController();
  void interrupts.first.then((signal) => abort.abort(signal));
  interrupts.onAgain(() => hurry.abort());
  const run = runId(call.clock.now());
  return {
    system,
    run,
    runFolder: runFolderOf(system.folder, run),
    containment: await chooseContainment(wantedContainment(call, 'lint')),
    seed: freshSeed(),
    variant: chooseVariant(system, optionText(call, 'variant')),
    tool: `shakedown ${toolVersion()}`,
    clock: call.clock,
    hostEnv: call.env,
    signal: abort.signal,
    hurry: hurry.signal,
    onStray: (commandLine) => call.terminal.err(`ended a process that was left: ${commandLine}`),
    onEvent: () => undefined,
  };
}

async function boot(call: Call, options: StageOptions): Promise<LiveStage> {
  await Promise.all([checkFixedPorts(options.system), reapAndTell(call, options.system.folder)]);
  makeRunFolder(options.system.folder, options.runFolder);
  return bootStage(options, 1);
}

async function attach(call: Call, options: StageOptions): Promise<LiveStage> {
  const { folder } = options.system;
  const held = await findLive(folder, call.clock);
  held?.client.close();
  const plan = held?.plan;
  const stage = plan && (await attachStage(options, plan));
  if (!stage) throw notUp(folder);
  if (plan.system.configHash !== options.system.configHash)
    call.terminal.err('the config has changed since this environment was started; it is as it was');
  return stage;
}
