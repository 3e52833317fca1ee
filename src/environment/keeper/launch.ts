/** Launches a keeper in two steps: its process starts while the config is loaded, and boots once there is a plan. */
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { secretValues } from '../../journal/redaction.ts';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor, within } from '../../kernel/deadline.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem, Problems, problemFromData } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';
import { bootId } from '../containment/boot-id.ts';
import type { Containment } from '../containment/containment.ts';
import { placeHere } from '../containment/place.ts';
import { openProcessTable } from '../containment/process-table.ts';
import { workspaceName } from '../containment/workspace.ts';
import { logTail } from '../log-tail.ts';
import { type Plan, withoutSecrets, writePlan } from '../plan.ts';
import { worldProblem } from '../processes/world-problem.ts';
import { forgetRunFolder, keeperLogFile, makeRunFolder, presentRun, runFolderOf } from '../run-folder.ts';
import { connectKeeper, type KeeperClient } from './keeper-client.ts';
import { lastWord } from './last-word.ts';
import { type Guard, startGuard } from './start-guard.ts';

/** What is known before the config is loaded. */
export interface LaunchStart {
  readonly systemFolder: string;
  readonly run: string;
  /**
   * Where the evidence of this environment goes when it is one of several of a run: a folder inside the run's own,
   * which the caller registers and prunes. Absent: the environment is the run.
   */
  readonly runFolder?: string;
  readonly environment: string;
  readonly containment: Containment;
  readonly clock: Clock;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

/** What is known after the config is loaded. */
export interface LaunchDetails {
  readonly system: System;
  readonly seed: string;
  readonly variant: Readonly<Record<string, string>>;
  readonly tool: string;
  /** Take snapshots after the jobs, so that the environment can be made fresh. */
  readonly snapshots?: boolean;
}

export interface Launched {
  readonly plan: Plan;
  readonly client: KeeperClient;
  /** Keeps the environment up when this process ends. Otherwise it ends with this process. */
  detach(): Promise<void>;
  /** Resolves when the guard has ended, which means that everything is swept. */
  readonly guardEnded: Promise<void>;
  /** Closes the lifeline: a keeper that is still there takes everything down. */
  letGo(): void;
}

export function beginLaunch(start: LaunchStart) {
  const { systemFolder, run, environment, containment, hostEnv, clock } = start;
  checkTemporaryFolder();
  // Real paths, because the kernel reports these for open files.
  const workspace = path.join(realpathSync(tmpdir()), workspaceName(environment));
  const explained = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw worldProblem(error, `the run folder below ${systemFolder}`);
    }
  };
  const folder = start.runFolder ?? runFolderOf(systemFolder, run);
  const runFolder = explained(() => realpathSync(makeRunFolder(systemFolder, folder)));
  const guard = explained(() => startGuard({ runFolder, workspace, containment, hostEnv }));
  return {
    /** Sends the plan to the keeper, and waits until it answers. */
    complete: async (details: LaunchDetails): Promise<Launched> => {
      const plan = explained(() => writeDown(start, details, runFolder, workspace));
      if (start.runFolder === undefined) await presentRun(systemFolder, run);
      guard.sendPlan(details.system);
      const client = await awaitKeeper(guard, plan, start);
      return { plan, client, guardEnded: guard.ended, detach: guard.detach, letGo: () => guard.letGo() };
    },
    /** Cancels without a plan: the keeper ends without having created anything, and the run folder is removed. */
    abandon: async (): Promise<void> => {
      guard.letGo();
      await within(clock, limits.stopWithinMs, guard.ended);
      await forgetRunFolder(systemFolder, folder);
    },
  };
}

/** Disposable things are created by the keeper itself, so that there is a process to remove them. */
function writeDown(start: LaunchStart, details: LaunchDetails, runFolder: string, workspace: string): Plan {
  const { run, environment, containment, clock } = start;
  const written: Plan = {
    schemaVersion: 1,
    tool: details.tool,
    run,
    runFolder,
    environment,
    workspace,
    containment,
    seed: details.seed,
    variant: details.variant,
    startedAt: new Date(clock.now()).toISOString(),
    launcher: openProcessTable().identify(process.pid),
    bootId: bootId(clock),
    place: placeHere(),
    system: details.system,
    ...(details.snapshots ? { snapshots: true } : {}),
  };
  const secrets = secretValues(details.system.secrets, start.hostEnv);
  const plan = withoutSecrets(written, secrets);
  writePlan(plan);
  return plan;
}

async function awaitKeeper(guard: Guard, plan: Plan, { clock, hostEnv }: LaunchStart): Promise<KeeperClient> {
  const patience = { withinMs: limits.keeperStartMs, firstMs: 2, mostMs: 20 };
  const client = await waitFor(clock, patience, async () =>
    guard.hasEnded() ? 'ended' : connectKeeper(plan.runFolder, clock),
  );
  if (client !== undefined && client !== 'ended') return client;
  guard.letGo({ isHanging: client === undefined });
  await within(clock, limits.teardownWithinMs, guard.ended);
  if (existsSync(plan.workspace)) await (await import('../containment/sweep.ts')).sweep(plan, clock, hostEnv);
  // A boot that fails at once may be over before a client could connect.
  const word = client === 'ended' ? await lastWord(plan.runFolder) : undefined;
  if (word?.type === 'environment.failed') throw new Problems(word.problems.map(problemFromData));
  throw notStarted(plan, client === 'ended' ? 'its process ended at once' : 'it did not answer in time');
}

function checkTemporaryFolder(): void {
  try {
    accessSync(tmpdir(), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Problem({
      code: 'world.not-writable',
      where: 'the temporary folder',
      what: `${tmpdir()} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      allowed: 'a folder that exists and may be written to',
      next: 'make it, or point TMPDIR elsewhere',
      cause: error,
    });
  }
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
