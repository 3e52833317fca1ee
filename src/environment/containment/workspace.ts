/** The disposable folder of an environment: created privately, verified when it is found again, and removed. */
import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeNewFolder, moveBelow } from '../../kernel/folders/entries-below.ts';
import type { HeldFolder } from '../../kernel/folders/held-folder.ts';
import { foreignness } from '../../kernel/folders/own-file.ts';
import { removeTree } from '../../kernel/folders/remove-tree.ts';
import { problemsIn } from '../../kernel/problem.ts';
import type { Plan } from '../plan.ts';
import { readLedger } from './ledger.ts';

type Described = Pick<Plan, 'environment' | 'workspace' | 'runFolder'>;

export function workspaceName(environment: string): string {
  return `shakedown-${environment}`;
}

export function isWorkspaceName(name: string): boolean {
  return /^shakedown-[a-z0-9]{8}$/.test(name);
}

/** Other users may not list it; a database that root starts as another user must be able to traverse it. */
export function makeWorkspace(workspace: string): void {
  makeNewFolder(workspace, process.geteuid?.() === 0 ? 0o711 : 0o700);
}

/** Why the folder cannot be the workspace of this environment; undefined when it is, or when there is none. */
export function workspaceObstacle({ environment, workspace, runFolder }: Described): string | undefined {
  const stats = lstatSync(workspace, { throwIfNoEntry: false });
  if (!stats) return undefined;
  const name = path.basename(workspace);
  if (!isWorkspaceName(name) || name !== workspaceName(environment))
    return 'it is not named like its environment';
  if (!stats.isDirectory()) return 'a link, or another entry that is not a folder, is in its place';
  const foreign = foreignness(stats);
  if (foreign !== undefined) return `it ${foreign}`;
  try {
    const head = readLedger(workspace).find((entry) => entry.entry === 'environment');
    const isOther = head && (head.environment !== environment || head.runFolder !== runFolder);
    return isOther ? 'its ledger belongs to another environment' : undefined;
  } catch (error) {
    return `its ledger cannot be trusted: ${problemsIn(error)[0]?.what}`;
  }
}

/** The same for a plan from a project, which may come from anywhere: here the ledger must name the run. */
export function foundPlanObstacle(plan: Plan): string | undefined {
  const obstacle = workspaceObstacle(plan);
  if (obstacle !== undefined || !existsSync(plan.workspace)) return obstacle;
  const isNamed = readLedger(plan.workspace).some((entry) => entry.entry === 'environment');
  return isNamed ? undefined : 'it has no ledger that names this run';
}

/**
 * A service may have moved the workspace: moves it back when it is beside its place; otherwise reports where it is now.
 */
export function bringBack(
  held: HeldFolder,
  { workspace, containment }: Pick<Plan, 'workspace' | 'containment'>,
): readonly string[] {
  const isThere = (): boolean => {
    const stats = lstatSync(workspace, { bigint: true, throwIfNoEntry: false });
    return stats?.ino === held.stats.ino && stats.dev === held.stats.dev;
  };
  if (isThere() || statSync(held.self()).nlink === 0) return [];
  const now = readlinkSync(held.self());
  // Hidden by a mount: in a namespace only inside, and the sweep outside finds it.
  if (now === workspace)
    return containment === 'namespace'
      ? []
      : [
          `something is mounted over ${path.dirname(now)}; unmount it (umount), then call \`shakedown down\` again`,
        ];
  const isBeside = path.dirname(now) === path.dirname(workspace);
  if (isBeside && !lstatSync(workspace, { throwIfNoEntry: false }))
    moveBelow(path.dirname(workspace), now, workspace);
  return isThere() ? [] : [`folder ${now}: the workspace was moved there; remove it by hand`];
}

/** Removes the ledger last, so that a sweep after a crash still finds it. Returns what stays, with the reasons. */
export async function removeWorkspace(plan: Described): Promise<readonly string[]> {
  const { workspace } = plan;
  const obstacle = workspaceObstacle(plan);
  if (obstacle !== undefined) return [`folder ${workspace}: ${obstacle}`];
  return removeTree(workspace, { last: 'ledger.ndjson', owners: 'everybody' });
}

/** Lines about entries of the workspace no longer apply once the workspace is gone. */
export function stillLeft(
  lines: readonly string[],
  { workspace }: Pick<Plan, 'workspace'>,
): readonly string[] {
  const isThere = existsSync(workspace);
  const isInside = (line: string): boolean =>
    line.endsWith(workspace) || ['/', ':'].some((next) => line.includes(`${workspace}${next}`));
  return [...new Set(lines)].filter((line) => isThere || !isInside(line));
}
