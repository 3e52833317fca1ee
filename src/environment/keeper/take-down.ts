/** Takes an environment down through its keeper; a keeper that does not answer is killed, and its guard sweeps. */
import { existsSync, lstatSync } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor, within } from '../../kernel/deadline.ts';
import { limits } from '../../kernel/limits.ts';
import { signalIfThere } from '../containment/end-processes.ts';
import { isSweeper, type Ours, readLedger } from '../containment/ledger.ts';
import { openProcessTable } from '../containment/process-table.ts';
import { stillLeft, workspaceObstacle } from '../containment/workspace.ts';
import type { Plan } from '../plan.ts';
import { type KeeperClient, unlessGone } from './keeper-client.ts';
import type { DownResult } from './messages.ts';

export interface TakenDown extends DownResult {
  /** It ended before it answered: another process takes it down, or it crashed. */
  readonly wasGone: boolean;
}

/** Returns what is left, usually nothing. */
export async function takeDown(
  client: KeeperClient,
  plan: Plan,
  because: string,
  clock: Clock,
): Promise<TakenDown> {
  const ours = oursOf(plan);
  const said = await askToGo(client, because, clock, () => 2 * plan.system.teardown.withinMs);
  const wasGone = said === 'gone';
  const answer = wasGone ? undefined : said;
  if (!said) signal(ours, ({ role }) => role === 'keeper', 'SIGKILL');
  // A stopped guard continues, and sweeps.
  signal(ours, isSweeper, 'SIGCONT');
  await within(clock, limits.keeperAnswerMs, client.gone);
  const table = openProcessTable();
  const guard = ours.find(({ role }) => role === 'guard')?.process;
  const guardIsThere = (): boolean => guard !== undefined && table.isAlive(guard);
  // Without its guard, nothing else would remove it.
  await waitFor(clock, { withinMs: limits.teardownWithinMs }, () =>
    (guard === undefined && isFolder(plan.workspace)) || guardIsThere() ? undefined : true,
  );
  if (guardIsThere()) {
    signal(ours, isSweeper, 'SIGKILL');
    await waitFor(clock, { withinMs: limits.killedSweepMs }, () => (guardIsThere() ? undefined : true));
  }
  const left = stillLeft(answer?.leftBehind ?? [], plan);
  return {
    wasGone,
    problems: answer?.problems ?? [],
    leftBehind: [
      ...left,
      ...(left.length === 0 && existsSync(plan.workspace) ? [`folder ${plan.workspace}`] : []),
      ...(guardIsThere() ? [`process ${guard?.pid}: the guard`] : []),
    ],
  };
}

/** Undefined when it does not answer, or answers with a problem. */
async function askToGo(
  client: KeeperClient,
  because: string,
  clock: Clock,
  teardownMs: () => number,
): Promise<DownResult | 'gone' | undefined> {
  const ask = <T>(answer: Promise<T>): Promise<T | 'gone' | 'it cannot'> =>
    unlessGone(answer).catch(() => 'it cannot' as const);
  const isThere = await within(clock, limits.keeperAnswerMs, ask(client.ask('ping', {})));
  if (isThere === 'gone') return 'gone';
  if (!isThere || isThere === 'it cannot') return undefined;
  const mostMs = Math.max(limits.wholeTeardownMs, teardownMs());
  const said = await within(clock, mostMs, ask(client.ask('down', { because })));
  return said === 'it cannot' ? undefined : said;
}

/** The keeper, its guard and their launcher, from the ledger. */
function oursOf(plan: Plan): readonly Ours[] {
  if (workspaceObstacle(plan) !== undefined) return [];
  return readLedger(plan.workspace).find((entry) => entry.entry === 'environment')?.ours ?? [];
}

/** A link in its place is never removed. */
function isFolder(workspace: string): boolean {
  return lstatSync(workspace, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** By its identity, so that no other process can be hit. */
function signal(ours: readonly Ours[], choose: (one: Ours) => boolean, name: NodeJS.Signals): void {
  const table = openProcessTable();
  for (const { process } of ours.filter(choose)) if (table.isAlive(process)) signalIfThere(process.pid, name);
}
