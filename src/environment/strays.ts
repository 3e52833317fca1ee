/** Processes that outlived their service: found by namespace, marker or open log, reported, and killed. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import { limits } from '../kernel/limits.ts';
import { endProcesses, nameLeft } from './containment/end-processes.ts';
import type { Ledger } from './containment/ledger.ts';
import {
  type Marks,
  openProcessTable,
  type ProcessIdentity,
  type ProcessTable,
} from './containment/process-table.ts';
import { markerVariable } from './wiring/hermetic-env.ts';

export interface StraySearch {
  readonly clock: Clock;
  readonly environment: string;
  readonly workspace: string;
  readonly runFolder: string;
  /** This process is alone in a PID namespace: every other process is a stray. */
  readonly alone: boolean;
  /** Recorded processes: the marks of one that switched its user cannot be read. */
  readonly written?: readonly ProcessIdentity[];
}

export interface Strays {
  /** The command lines of all strays. */
  readonly found: readonly string[];
  readonly pids: readonly number[];
  readonly ended: number;
  /** Processes that could not be ended, and processes that may be ours. */
  readonly left: readonly string[];
}

export async function endStrays(search: StraySearch): Promise<Strays> {
  const strays = await endFound(search.clock, (table) => processesOf(search, table));
  return search.alone ? strays : { ...strays, left: [...strays.left, ...standingIn(search.workspace)] };
}

/** Processes that cannot be attributed: the shell of a user, or a daemon that removed every mark. */
function standingIn(workspace: string): readonly string[] {
  if (!existsSync(workspace)) return [];
  const table = openProcessTable();
  return table
    .findMarked({ variables: [], folders: [workspace], outputs: [] })
    .map(
      (process) =>
        `${nameLeft(table, process)}: its working folder is in ${workspace}: which process started it is unknown; leave that folder, or end it`,
    );
}

/** Every process of the environment that is visible now. */
export function processesOf(
  search: Omit<StraySearch, 'clock'>,
  table = openProcessTable(),
): readonly ProcessIdentity[] {
  if (search.alone) return everybodyElse(table);
  return table.findMarked(marksOf(search), search.written);
}

/** A service that root started may have switched its user: files of that user are recorded for removal, too. */
export function noteOwners(processes: readonly ProcessIdentity[], ledger: Ledger): void {
  const own = process.geteuid?.();
  if (own !== 0) return;
  const uids = processes.flatMap(({ pid }) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? []);
  for (const uid of new Set(uids))
    if (uid !== own) ledger.write({ entry: 'intent', name: 'a service', uid, became: true });
}

/** Only processes with one of the marks. */
export function endMarked(clock: Clock, marks: Marks): Promise<Strays> {
  return endFound(clock, (table) => table.findMarked(marks));
}

async function endFound(
  clock: Clock,
  search: (table: ProcessTable) => readonly ProcessIdentity[],
): Promise<Strays> {
  const table = openProcessTable();
  const found = new Map<number, string>();
  const find = (): readonly ProcessIdentity[] => {
    const strays = search(table);
    for (const { pid } of strays) if (!found.has(pid)) found.set(pid, table.commandLine(pid));
    return strays;
  };
  const left = await endProcesses(table, clock, limits.killedSweepMs, find);
  return {
    found: [...found.values()],
    pids: [...found.keys()],
    ended: found.size - left.length,
    left: left.map((process) => nameLeft(table, process)),
  };
}

function everybodyElse(table: ProcessTable): ProcessIdentity[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== '1' && name !== String(process.pid))
    .flatMap((name) => table.identify(Number(name)) ?? []);
}

/**
 * The marks by which processes are found, whichever process started them. One may have cleared its variables, but still
 * writes to a log. Its working folder proves nothing: a user's shell may be there.
 */
function marksOf({ environment, runFolder }: Pick<StraySearch, 'environment' | 'runFolder'>): Marks {
  return {
    variables: [`${markerVariable}=${environment}`],
    folders: [],
    outputs: [path.join(runFolder, 'services')],
  };
}
