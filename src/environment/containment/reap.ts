/** Finds environments whose keeper and guard are both dead, by their ledgers, and sweeps them. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { readPlan } from '../plan.ts';
import { removeTree } from '../remove-tree.ts';
import { bootId } from './boot-id.ts';
import { type LedgerEntry, ledgerFile, readLedger } from './ledger.ts';
import { openProcessTable, type ProcessTable } from './process-table.ts';
import { type Swept, sweep } from './sweep.ts';

/** Sweeps all of this user's crashed environments on this machine. */
export async function reapCrashed(
  clock: Clock,
  hostEnv: Readonly<Record<string, string | undefined>>,
): Promise<readonly Swept[]> {
  const table = openProcessTable();
  const swept: Swept[] = [];
  for (const workspace of workspaces()) {
    const entries = readLedger(workspace);
    if (entries.length === 0 && !isOld(workspace, clock)) continue;
    if (!isCrashed(entries, table, bootId(clock))) continue;
    const head = entries.find((entry) => entry.entry === 'environment');
    if (head && existsSync(path.join(head.runFolder, 'plan.json')))
      swept.push(await sweep(readPlan(head.runFolder), clock, hostEnv));
    else await removeTree(workspace, 'ledger.ndjson');
  }
  return swept;
}

/** Folders that hold a ledger of ours, or nothing yet; what is in the ledger decides, not the name. */
function workspaces(): string[] {
  const uid = process.getuid?.();
  if (!existsSync(tmpdir())) return [];
  return readdirSync(tmpdir())
    .filter((name) => /^shakedown-[a-z0-9]{8}$/.test(name))
    .map((name) => path.join(tmpdir(), name))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.uid === uid)
    .filter((folder) => existsSync(ledgerFile(folder)) || readdirSync(folder).length === 0);
}

/** Whoever makes a workspace writes its ledger in the next moment; one without entries was given up long ago. */
function isOld(workspace: string, clock: Clock): boolean {
  const changedAt = statSync(workspace, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return clock.now() - changedAt > 10_000;
}

/** Nobody of ours is alive: neither the keeper nor its guard, nor the command that was just launching them. */
function isCrashed(entries: readonly LedgerEntry[], table: ProcessTable, boot: string): boolean {
  const head = entries.find((entry) => entry.entry === 'environment');
  if (!head || head.bootId !== boot) return true;
  const ours = entries.flatMap((entry) => (entry.entry === 'ours' ? [entry] : []));
  const keepers = ours.filter(({ role }) => role !== 'cli');
  return (keepers.length > 0 ? keepers : ours).every(({ process }) => !table.isAlive(process));
}
