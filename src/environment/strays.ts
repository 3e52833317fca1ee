/** Processes that outlived the service that started them: found by namespace, marker or open log, named, and ended. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import { limits } from '../kernel/limits.ts';
import { endProcesses } from './containment/end-processes.ts';
import { markerOf } from './containment/marker.ts';
import { openProcessTable, type ProcessIdentity, type ProcessTable } from './containment/process-table.ts';

export interface StraySearch {
  readonly clock: Clock;
  readonly environment: string;
  readonly workspace: string;
  readonly runFolder: string;
  /** We are alone in a PID namespace: whoever else is here is a stray. */
  readonly alone: boolean;
}

export interface Strays {
  /** Command lines of all that were found. */
  readonly found: readonly string[];
  /** Those that could not be ended. */
  readonly left: readonly string[];
}

export async function endStrays(search: StraySearch): Promise<Strays> {
  const table = openProcessTable();
  const found = new Map<number, string>();
  const find = (): readonly ProcessIdentity[] => {
    const strays = search.alone ? everybodyElse(table) : marked(table, search);
    for (const { pid } of strays) if (!found.has(pid)) found.set(pid, table.commandLine(pid));
    return strays;
  };
  const left = await endProcesses(table, search.clock, limits.killedSweepMs, find);
  return {
    found: [...found.values()],
    left: left.map(({ pid }) => `process ${pid}: ${found.get(pid) ?? ''}`),
  };
}

function everybodyElse(table: ProcessTable): ProcessIdentity[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== '1' && name !== String(process.pid))
    .flatMap((name) => table.identify(Number(name)) ?? []);
}

function marked(
  table: ProcessTable,
  { environment, workspace, runFolder }: StraySearch,
): readonly ProcessIdentity[] {
  return table.findMarked(markerOf(environment), { workspace, logs: path.join(runFolder, 'services') });
}
