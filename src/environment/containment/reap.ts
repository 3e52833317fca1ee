/** Finds environments whose keeper and guard are both dead, by their ledgers, and sweeps them. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { readPlan } from '../plan.ts';
import { removeTree } from '../remove-tree.ts';
import { bootId } from './boot-id.ts';
import { type EnvironmentEntry, ledgerFile, readLedger } from './ledger.ts';
import { placeHere } from './place.ts';
import { openProcessTable, type ProcessTable } from './process-table.ts';
import { type Swept, sweep } from './sweep.ts';

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
  const entries = readLedger(workspace);
  const head = entries.find((entry) => entry.entry === 'environment');
  if (!head) {
    if (isOld(workspace, clock)) await removeTree(workspace, 'ledger.ndjson');
    return [];
  }
  if (!isCrashed(head, openProcessTable(), bootId(clock))) return [];
  if (existsSync(path.join(head.runFolder, 'plan.json')))
    return [await sweep(readPlan(head.runFolder), clock, hostEnv)];
  await removeTree(workspace, 'ledger.ndjson');
  return [];
}

/** Folders that hold a ledger of ours; what is in the ledger decides, not the name. */
function workspaces(): string[] {
  const uid = process.getuid?.();
  if (!existsSync(tmpdir())) return [];
  return readdirSync(tmpdir())
    .filter((name) => /^shakedown-[a-z0-9]{8}$/.test(name))
    .map((name) => path.join(tmpdir(), name))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.uid === uid)
    .filter((folder) => existsSync(ledgerFile(folder)));
}

/** Whoever makes a workspace writes its ledger in the next moment; one without entries was given up long ago. */
function isOld(workspace: string, clock: Clock): boolean {
  const changedAt = statSync(workspace, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return clock.now() - changedAt > 10_000;
}

/** Nobody of ours is alive. Of another machine or namespace nothing can be said from here, so nothing is done. */
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
  return (keepers.length > 0 ? keepers : ours).every(({ process }) => !table.isAlive(process));
}
