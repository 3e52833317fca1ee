/** Finds environments whose keeper and guard are both dead, by their ledgers, and sweeps them. */
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { foreignness } from '../../kernel/folders/own-file.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { type Plan, planFolder, readFoundPlan } from '../plan.ts';
import { bootId } from './boot-id.ts';
import { type EnvironmentEntry, isSweeper, ledgerFile, readLedger } from './ledger.ts';
import { placeHere } from './place.ts';
import { openProcessTable, type ProcessTable } from './process-table.ts';
import { type Swept, sweep } from './sweep.ts';
import { isWorkspaceName, removeWorkspace, workspaceName } from './workspace.ts';

/** Sweeps all of this user's crashed environments on this machine. */
export async function reapCrashed(
  clock: Clock,
  hostEnv: Readonly<Record<string, string | undefined>>,
): Promise<readonly Swept[]> {
  const swept: Swept[] = [];
  for (const workspace of workspaces()) {
    try {
      swept.push(...(await reapOne(workspace, clock, hostEnv)));
    } catch (error) {
      // One that cannot be swept must not keep everybody from working.
      const reason = problemsIn(error)[0]?.what ?? '';
      swept.push({
        environment: path.basename(workspace),
        endedProcesses: 0,
        leftBehind: [`folder ${workspace}: ${reason}`],
      });
    }
  }
  return swept;
}

async function reapOne(
  workspace: string,
  clock: Clock,
  hostEnv: Readonly<Record<string, string | undefined>>,
): Promise<readonly Swept[]> {
  const environment = path.basename(workspace).replace(workspaceName(''), '');
  const stats = lstatSync(workspace);
  const foreign = foreignness(stats);
  if (foreign !== undefined) throw new Error(`it ${foreign}`);
  const head = readLedger(workspace).find((entry) => entry.entry === 'environment');
  const { runFolder = '' } = head ?? {};
  // Whoever makes a workspace writes its ledger in the next moment; one without entries was given up long ago.
  if (head ? !isCrashed(head, openProcessTable(), bootId(clock)) : clock.now() - stats.mtimeMs <= 10_000)
    return [];
  const planned = head && planFolder(runFolder, workspace);
  if (planned !== undefined) return [await sweep(planOf(workspace, planned), clock, hostEnv)];
  const leftBehind = await removeWorkspace({ environment, workspace, runFolder });
  return leftBehind.length > 0 ? [{ environment, endedProcesses: 0, leftBehind }] : [];
}

function planOf(workspace: string, folder: string): Plan {
  const plan = readFoundPlan(folder, folder === workspace ? 'workspace' : 'runFolder');
  if (plan.workspace !== workspace) throw new Error(`its plan is about another folder: ${plan.workspace}`);
  return plan;
}

/** Folders that hold a ledger; a link, and what belongs to somebody else, is not ours to judge. */
function workspaces(): string[] {
  if (!existsSync(tmpdir())) return [];
  const temporary = realpathSync(tmpdir());
  return readdirSync(temporary)
    .filter(isWorkspaceName)
    .map((name) => path.join(temporary, name))
    .filter((folder) => {
      const stats = lstatSync(folder, { throwIfNoEntry: false });
      return stats?.isDirectory() && stats.uid === (process.geteuid?.() ?? stats.uid);
    })
    .filter((folder) => lstatSync(ledgerFile(folder), { throwIfNoEntry: false }) !== undefined);
}

/** Nobody of ours is alive; a guard that is stopped will not sweep what its keeper left. Of another machine or namespace nothing can be said from here, so nothing is done. */
function isCrashed(
  { place, ours, bootId }: EnvironmentEntry,
  table: ProcessTable,
  bootHere: string,
): boolean {
  const here = placeHere();
  if (place.host !== here.host) return false;
  if (bootId !== bootHere) return true;
  if (place.namespace !== here.namespace || ours.length === 0) return false;
  const keepers = ours.filter(({ role }) => role !== 'cli');
  return (keepers.length > 0 ? keepers : ours).every(
    (one) => !table.isAlive(one.process) || (isSweeper(one) && table.isStopped(one.process)),
  );
}
