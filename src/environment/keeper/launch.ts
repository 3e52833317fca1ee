/** Launches a guard, which launches a keeper, and waits until the keeper answers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor, within } from '../../kernel/deadline.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';
import { bootId } from '../containment/boot-id.ts';
import { type Containment, namespacePrefix } from '../containment/containment.ts';
import { guardScript, initScript } from '../containment/guard-script.ts';
import { openProcessTable } from '../containment/process-table.ts';
import { sweep } from '../containment/sweep.ts';
import { type Plan, writePlan } from '../plan.ts';
import { logTail } from '../processes/log-tail.ts';
import { worldProblem } from '../processes/world-problem.ts';
import { keeperLogFile, makeRunFolder } from '../run-folder.ts';
import { connectKeeper, type KeeperClient } from './keeper-client.ts';
import { detachWord, launcherDescriptor } from './lifeline.ts';

export interface LaunchOptions {
  readonly system: System;
  readonly run: string;
  readonly environment: string;
  readonly seed: string;
  readonly variant: Readonly<Record<string, string>>;
  readonly containment: Containment;
  readonly tool: string;
  readonly clock: Clock;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

export interface Launched {
  readonly plan: Plan;
  readonly client: KeeperClient;
  /** Lets the environment live on when we end. Without it, our end is its end. */
  detach(): Promise<void>;
  /** Resolves when the guard has ended, that is, when everything is swept. */
  readonly guardEnded: Promise<void>;
}

export async function launch(options: LaunchOptions): Promise<Launched> {
  const plan = layDown(options);
  const guard = startGuard(plan, options.hostEnv);
  const guardEnded = new Promise<void>((resolve) => {
    guard.once('exit', () => resolve());
    guard.once('error', () => resolve());
  });
  let ended = false;
  void guardEnded.then(() => {
    ended = true;
  });
  const client = await waitFor(
    options.clock,
    { withinMs: limits.keeperStartMs, firstMs: 5, mostMs: 20 },
    async () => (ended ? 'ended' : connectKeeper(plan.runFolder)),
  );
  if (client === undefined || client === 'ended') {
    guard.stdio[launcherDescriptor]?.destroy();
    await within(options.clock, limits.teardownWithinMs, guardEnded);
    if (existsSync(plan.workspace)) await sweep(plan, options.clock, options.hostEnv);
    throw notStarted(
      plan,
      ended ? 'its process ended at once' : `it did not answer within ${limits.keeperStartMs} ms`,
    );
  }
  return { plan, client, guardEnded, detach: () => detach(guard) };
}

/** What the keeper needs to know. What is disposable it makes itself: then somebody is there to take it away. */
function layDown(options: LaunchOptions): Plan {
  const { system, run, environment, clock, seed, variant, containment, tool } = options;
  if (!existsSync(tmpdir())) throw noTemporaryFolder();
  try {
    const runFolder = makeRunFolder(system.folder, run);
    const plan: Plan = {
      schemaVersion: 1,
      tool,
      run,
      runFolder,
      environment,
      workspace: path.join(tmpdir(), `shakedown-${environment}`),
      containment,
      seed,
      variant,
      startedAt: new Date(clock.now()).toISOString(),
      launcher: openProcessTable().identify(process.pid),
      bootId: bootId(clock),
      system,
    };
    writePlan(plan);
    return plan;
  } catch (error) {
    throw worldProblem(error, `the run folder below ${system.folder}`);
  }
}

function startGuard(plan: Plan, hostEnv: Readonly<Record<string, string | undefined>>): ChildProcess {
  const { runFolder, workspace } = plan;
  const keeper = entryBeside('keeper-main');
  const sweep = entryBeside('../containment/sweep-main');
  const inside =
    plan.containment === 'namespace'
      ? [...namespacePrefix(), 'sh', '-c', initScript, 'shakedown-init', sweep, runFolder, workspace]
      : [];
  const words = [
    '-c',
    guardScript,
    'shakedown-guard',
    process.execPath,
    keeper,
    sweep,
    runFolder,
    workspace,
    ...inside,
  ];
  const log = openSync(keeperLogFile(runFolder), 'a', 0o600);
  try {
    return spawn('sh', words, {
      cwd: runFolder,
      env: hostEnv,
      detached: true,
      stdio: ['ignore', log, log, 'pipe'],
    });
  } finally {
    closeSync(log);
  }
}

/** The same file as source or as built. */
function entryBeside(name: string): string {
  const extension = path.extname(import.meta.url);
  return fileURLToPath(new URL(`${name}${extension}`, import.meta.url));
}

async function detach(guard: ChildProcess): Promise<void> {
  const lifeline = guard.stdio[launcherDescriptor];
  if (!lifeline || !('end' in lifeline)) throw new Error('the lifeline was never made');
  await new Promise<void>((resolve) => void lifeline.end(detachWord, resolve));
  lifeline.destroy();
  guard.unref();
}

function noTemporaryFolder(): Problem {
  return new Problem({
    code: 'world.not-writable',
    where: 'the temporary folder',
    what: `${tmpdir()} does not exist`,
    allowed: 'a folder that exists and may be written to',
    next: 'make it, or point TMPDIR elsewhere',
  });
}

function notStarted(plan: Plan, what: string): Problem {
  return new Problem({
    code: 'world.keeper-not-started',
    where: `the keeper of ${plan.system.name}`,
    what,
    allowed: 'a keeper that answers on its socket within seconds',
    next: 'read its log below; `shakedown doctor` shows what this machine permits; `--containment ledger` avoids namespaces',
    evidence: logTail(keeperLogFile(plan.runFolder)),
  });
}
