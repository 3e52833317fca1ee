/** Finds environments whose keeper and guard are both dead, by their ledgers, and sweeps them. */
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { removeEmptyFolder, removeFile } from '../../kernel/folders/entries-below.ts';
import { foreignness } from '../../kernel/folders/own-file.ts';
import { limits } from '../../kernel/limits.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { bootId } from '../containment/boot-id.ts';
import { type EnvironmentEntry, findHead, isSweeper, ledgerFile } from '../containment/ledger.ts';
import { placeHere } from '../containment/place.ts';
import { openProcessTable } from '../containment/process-table.ts';
import { type Swept, sweep } from '../containment/sweep.ts';
import {
  foundPlanObstacle,
  isWorkspaceName,
  removeWorkspace,
  workspaceName,
} from '../containment/workspace.ts';
import { type Plan, planFolder, readFoundPlan } from '../plan.ts';
import { socketName, unendedEnvironments } from '../run-folder.ts';
import { connectKeeper } from './keeper-client.ts';

/**
 * Sweeps all crashed environments of this user on this machine, and those of a project whose temporary folder has
 * changed or is gone.
 */
export async function reapCrashed(
  clock: Clock,
  hostEnv: Readonly<Record<string, string | undefined>>,
  systemFolder: string,
): Promise<readonly Swept[]> {
  const swept: Swept[] = [];
  const attempt = async (folder: string, reap: typeof reapOne): Promise<void> => {
    try {
      swept.push(...(await reap(folder, clock, hostEnv)));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return; // another process is removing it
      // One that cannot be swept must not block every command.
      const leftBehind = [`folder ${folder}: ${problemsIn(error)[0]?.what ?? ''}`];
      swept.push({ environment: path.basename(folder), endedProcesses: 0, leftBehind });
    }
  };
  const found = workspaces();
  for (const workspace of found) await attempt(workspace, reapOne);
  for (const runFolder of unendedEnvironments(systemFolder))
    await attempt(runFolder, (...parts) => reapRun(found, ...parts));
  return swept;
}

/** Without a ledger, only the run folder certainly belongs to us. What is left of a workspace that was found is known. */
async function reapRun(
  found: readonly string[],
  ...[runFolder, clock, hostEnv]: Parameters<typeof reapOne>
): Promise<readonly Swept[]> {
  const plan = readFoundPlan(runFolder, 'anywhere');
  const isHere = plan.runFolder === realpathSync(runFolder) && !found.includes(plan.workspace);
  if (existsSync(plan.workspace))
    return isHere && foundPlanObstacle(plan) === undefined ? reapOne(plan.workspace, clock, hostEnv) : [];
  // A keeper that is starting or ending does not answer either; a running one touches its socket.
  const touched = lstatSync(path.join(runFolder, socketName), { throwIfNoEntry: false });
  const isSilent = touched !== undefined && clock.now() - touched.mtimeMs > limits.ledgerSilentMs;
  const isOfHere = plan.bootId === bootId(clock) || plan.place?.machine === placeHere().machine;
  if (!isSilent || !isOfHere) return [];
  const client = await connectKeeper(runFolder, clock);
  client?.close();
  return client ? [] : [await sweep({ ...plan, runFolder }, clock, hostEnv)];
}

async function reapOne(
  workspace: string,
  clock: Clock,
  hostEnv: Readonly<Record<string, string | undefined>>,
): Promise<readonly Swept[]> {
  const environment = path.basename(workspace).replace(workspaceName(''), '');
  const head = findHead(workspace);
  if (head === undefined) removeBegun(workspace, clock);
  // Any user can create a folder and a file with these names.
  if (head?.environment !== environment) return [];
  const foreign = foreignness(lstatSync(workspace));
  if (foreign !== undefined) throw new Error(`it ${foreign}`);
  if (!isCrashed(head, workspace, clock)) return [];
  const { runFolder } = head;
  const planned = planFolder(runFolder, workspace);
  if (planned !== undefined) return [await sweep(planOf(workspace, planned), clock, hostEnv)];
  const leftBehind = await removeWorkspace({ environment, workspace, runFolder });
  return leftBehind.length > 0 ? [{ environment, endedProcesses: 0, leftBehind }] : [];
}

/** A new workspace gets its ledger immediately. One that is still empty was abandoned. */
function removeBegun(workspace: string, clock: Clock): void {
  const { mtimeMs, mode } = lstatSync(workspace);
  if (clock.now() - mtimeMs <= limits.workspaceBegunMs || (mode & 0o066) !== 0) return; // ours are private
  const ledger = ledgerFile(workspace);
  if (readdirSync(workspace).some((name) => name !== path.basename(ledger))) return;
  if (lstatSync(ledger, { throwIfNoEntry: false })?.size === 0) removeFile(ledger, workspace);
  removeEmptyFolder(workspace);
}

function planOf(workspace: string, folder: string): Plan {
  const plan = readFoundPlan(folder, folder === workspace ? 'workspace' : 'runFolder');
  if (plan.workspace !== workspace) throw new Error(`its plan belongs to another folder: ${plan.workspace}`);
  return plan;
}

/** Folders with the name of a workspace; links and folders of other users are ignored. */
function workspaces(): string[] {
  if (!existsSync(tmpdir())) return [];
  const temporary = realpathSync(tmpdir());
  return readdirSync(temporary)
    .filter(isWorkspaceName)
    .map((name) => path.join(temporary, name))
    .filter((folder) => {
      const stats = lstatSync(folder, { throwIfNoEntry: false });
      return stats?.isDirectory() && stats.uid === (process.geteuid?.() ?? stats.uid);
    });
}

/**
 * None of our processes is alive; a stopped guard will not sweep what its keeper left. Nothing is known about another
 * machine or namespace, so nothing is done. After a reboot the pids are meaningless, but a running keeper touches its
 * ledger.
 */
function isCrashed(
  { place, ours, bootId: boot }: EnvironmentEntry,
  workspace: string,
  clock: Clock,
): boolean {
  const here = placeHere();
  const silentMs = clock.now() - lstatSync(ledgerFile(workspace)).mtimeMs;
  if (boot !== bootId(clock)) return place.machine === here.machine && silentMs > limits.ledgerSilentMs;
  if (place.namespace !== here.namespace || ours.length === 0) return false;
  const table = openProcessTable();
  const keepers = ours.filter(({ role }) => role !== 'cli');
  return (keepers.length > 0 ? keepers : ours).every(
    (one) => !table.isAlive(one.process) || (isSweeper(one) && table.isStopped(one.process)),
  );
}
