/** The write-ahead ledger of an environment: everything is recorded on disk before it is created. */
import { closeSync, futimesSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { findOwnFile, readOwnFile } from '../../kernel/folders/own-file.ts';
import { limits } from '../../kernel/limits.ts';
import { absentOn, errorCode } from '../../kernel/system-error.ts';
import type { OutsideThing } from '../../resources/resource.ts';
import type { ContainerClient, EndedClient } from './containers.ts';
import type { Place } from './place.ts';
import type { ProcessIdentity, ProcessTable } from './process-table.ts';

export type LedgerEntry =
  | {
      readonly entry: 'environment';
      readonly environment: string;
      readonly run: string;
      readonly runFolder: string;
      readonly bootId: string;
      readonly uid: number;
      /** Where the pids below are valid: the machine and its PID namespace. */
      readonly place: Place;
      readonly ours: readonly Ours[];
    }
  /** Written before a process is started, with its user when that is not ours … */
  | {
      readonly entry: 'intent';
      readonly name: string;
      readonly uid?: number;
      /**
       * The service switched to this user itself; processes that we start as another user run as a shared account, such
       * as `nobody`.
       */
      readonly became?: true;
    }
  /** … and after. In a PID namespace this is the outer pid. */
  | { readonly entry: 'process'; readonly name: string; readonly process: ProcessIdentity }
  /** A program outside of the keeper's reach: the user's own command, or one that a trial starts. */
  | { readonly entry: 'command'; readonly process: ProcessIdentity; readonly files?: readonly string[] }
  | { readonly entry: 'command-ended'; readonly pid: number }
  /** Shared memory that the environment used; other users of it cannot be seen from the keeper's namespace. */
  | { readonly entry: 'memory'; readonly inode: string; readonly writes: boolean }
  | { readonly entry: 'outside'; readonly thing: OutsideThing }
  /** Written before something is made at the container engine behind this socket. */
  | {
      readonly entry: 'at-engine';
      readonly socket: string;
      readonly what: 'container' | 'network' | 'volume' | 'image';
      readonly name: string;
      /** Written once more when the engine has answered: it does not come later. */
      readonly isAnswered?: true;
      /** Of a build: the layer on which it is making another one since this time, without a name. */
      readonly onto?: { readonly layer: string; readonly since: number };
    }
  | ({ readonly entry: 'container' } & ContainerClient)
  | ({ readonly entry: 'container-ended' } & EndedClient);

export type EnvironmentEntry = Extract<LedgerEntry, { entry: 'environment' }>;

export type EngineIntent = Extract<LedgerEntry, { entry: 'at-engine' }>;

export interface Ours {
  /** `init` is the first process of the namespace, where there is one. */
  readonly role: 'cli' | 'keeper' | 'init' | 'guard';
  readonly process: ProcessIdentity;
}

/** Processes that outlive the keeper and sweep. */
export function isSweeper({ role }: Ours): boolean {
  return role === 'init' || role === 'guard';
}

/** Sweepers that are stopped: they only keep the namespace alive. */
export function stoppedSweepers(
  entries: readonly LedgerEntry[],
  table: ProcessTable,
): readonly ProcessIdentity[] {
  return entries
    .flatMap((entry) => (entry.entry === 'environment' ? entry.ours : []))
    .filter((one) => isSweeper(one) && table.isStopped(one.process))
    .map(({ process }) => process);
}

export interface Ledger {
  readonly file: string;
  write(entry: LedgerEntry): void;
  close(): void;
}

export function ledgerFile(workspace: string): string {
  return path.join(workspace, 'ledger.ndjson');
}

/** While it is open, its modification time is kept current, so that other machines can see that the keeper is alive. */
export function openLedger(workspace: string, clock: Clock): Ledger {
  const file = ledgerFile(workspace);
  const descriptor = openSync(file, 'a', 0o600);
  let cancel = (): void => undefined;
  const touch = (): void => {
    cancel = clock.after(limits.ledgerTouchMs, touch);
    try {
      futimesSync(descriptor, clock.now() / 1_000, clock.now() / 1_000);
    } catch (error) {
      absentOn('EROFS', 'EPERM', 'EIO', 'ESTALE')(error); // the next write reports it
    }
  };
  touch();
  return {
    file,
    write: (entry) => void writeSync(descriptor, `${JSON.stringify(entry)}\n`),
    close: () => {
      cancel();
      closeSync(descriptor);
    },
  };
}

/** The programs that still run beside the environment, according to the ledger. */
export function runningCommands(entries: readonly LedgerEntry[]): readonly ProcessIdentity[] {
  const running = new Map<number, ProcessIdentity>();
  for (const entry of entries) {
    if (entry.entry === 'command') running.set(entry.process.pid, entry.process);
    if (entry.entry === 'command-ended') running.delete(entry.pid);
  }
  return [...running.values()];
}

/** What the engine was asked to make, and may still make; a cut-off build ends soon. */
export function unansweredIn(entries: readonly LedgerEntry[]): readonly EngineIntent[] {
  const last = new Map<string, EngineIntent>();
  for (const entry of entries)
    if (entry.entry === 'at-engine') last.set(`${entry.what} ${entry.name}`, entry);
  return [...last.values()].filter(({ isAnswered }) => !isAnswered);
}

/** All recorded processes. */
export function processesIn(entries: readonly LedgerEntry[]): readonly ProcessIdentity[] {
  return entries.flatMap((entry) =>
    entry.entry === 'process' || entry.entry === 'command' ? [entry.process] : [],
  );
}

/** Other users as which processes of the environment ran: their files may be removed. */
export function ownersIn(entries: readonly LedgerEntry[]): readonly number[] {
  return entries.flatMap((entry) => (entry.entry === 'intent' && entry.uid !== undefined ? [entry.uid] : []));
}

/** The entry that names the environment; undefined when there is none, or another user could have written it. */
export function findHead(workspace: string): EnvironmentEntry | undefined {
  const entries = findOwnFile(ledgerFile(workspace))?.split('\n').flatMap(parseEntry) ?? [];
  return entries.find((entry) => entry.entry === 'environment');
}

/** All complete entries; empty when there is no ledger. Throws when another user could have written it. */
export function readLedger(workspace: string): readonly LedgerEntry[] {
  try {
    return readOwnFile(ledgerFile(workspace)).split('\n').flatMap(parseEntry);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}

/**
 * A line that was cut by a full disk or a crash was never acted upon, so it is ignored; so is an entry without its
 * required keys.
 */
function parseEntry(line: string): readonly LedgerEntry[] {
  try {
    const entry = JSON.parse(line) as LedgerEntry;
    return isWhole[entry.entry](entry as never) ? [entry] : [];
  } catch {
    return [];
  }
}

type EntryOf<Kind extends LedgerEntry['entry']> = Extract<LedgerEntry, { entry: Kind }>;

const isWhole: { readonly [Kind in LedgerEntry['entry']]: (entry: EntryOf<Kind>) => boolean } = {
  environment: ({ environment, runFolder, bootId, place, ours }) =>
    [environment, runFolder, bootId, place.machine, place.namespace].every(
      (text) => typeof text === 'string',
    ) && ours.every(({ role, process }) => typeof role === 'string' && isProcess(process, role === 'cli')),
  intent: ({ uid }) => uid === undefined || Number.isInteger(uid),
  process: ({ process }) => isProcess(process),
  command: ({ process, files = [] }) => isProcess(process) && files.every((file) => typeof file === 'string'),
  'command-ended': ({ pid }) => Number.isInteger(pid),
  memory: ({ inode, writes }) => /^\d+$/.test(inode) && typeof writes === 'boolean',
  'at-engine': ({ socket, what, name }) => [socket, what, name].every((text) => typeof text === 'string'),
  container: ({ name = '', since }) => typeof name === 'string' && typeof since === 'number',
  'container-ended': ({ name, since, at, code }) =>
    typeof name === 'string' && [since, at, code].every((number) => typeof number === 'number'),
  outside: ({ thing }) => typeof thing.resource === 'string' && Array.isArray(thing.databases),
};

/** Pid 1 of a container may be the caller, but never a process that we end. */
function isProcess({ pid, startedAt }: ProcessIdentity, mayBeFirst = false): boolean {
  return Number.isInteger(pid) && pid >= (mayBeFirst ? 1 : 2) && typeof startedAt === 'string';
}
