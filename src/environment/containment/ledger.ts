/** The write-ahead ledger of an environment: what we are about to make is on disk before it exists. */
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { OutsideThing } from '../../resources/resource.ts';
import type { Place } from './place.ts';
import type { ProcessIdentity } from './process-table.ts';

export type LedgerEntry =
  | {
      readonly entry: 'environment';
      readonly environment: string;
      readonly run: string;
      readonly runFolder: string;
      readonly bootId: string;
      readonly uid: number;
      /** Where the numbers below mean something: the machine and its PID namespace. */
      readonly place: Place;
      readonly ours: readonly Ours[];
    }
  /** Written before a process is started … */
  | { readonly entry: 'intent'; readonly name: string }
  /** … and after. In a PID namespace the number is the one that the machine outside sees. */
  | { readonly entry: 'process'; readonly name: string; readonly process: ProcessIdentity }
  /** A program beside the environment, outside of the keeper's reach: the user's own command, or one that a trial starts. */
  | { readonly entry: 'command'; readonly process: ProcessIdentity }
  | { readonly entry: 'command-ended'; readonly pid: number }
  | { readonly entry: 'outside'; readonly thing: OutsideThing };

export type EnvironmentEntry = Extract<LedgerEntry, { entry: 'environment' }>;

export interface Ours {
  readonly role: 'cli' | 'keeper' | 'guard';
  readonly process: ProcessIdentity;
}

export interface Ledger {
  readonly file: string;
  write(entry: LedgerEntry): void;
  close(): void;
}

export function ledgerFile(workspace: string): string {
  return path.join(workspace, 'ledger.ndjson');
}

export function openLedger(workspace: string): Ledger {
  const file = ledgerFile(workspace);
  const descriptor = openSync(file, 'a', 0o600);
  return {
    file,
    write: (entry) => void writeSync(descriptor, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(descriptor),
  };
}

/** The programs that still run beside the environment, as far as the ledger knows. */
export function runningCommands(entries: readonly LedgerEntry[]): readonly ProcessIdentity[] {
  const running = new Map<number, ProcessIdentity>();
  for (const entry of entries) {
    if (entry.entry === 'command') running.set(entry.process.pid, entry.process);
    if (entry.entry === 'command-ended') running.delete(entry.pid);
  }
  return [...running.values()];
}

/** All complete entries; empty when there is no ledger. */
export function readLedger(workspace: string): readonly LedgerEntry[] {
  const file = ledgerFile(workspace);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split('\n').flatMap(parseEntry);
}

/** A line that a full disk or a crash tore was never acted upon, wherever it stands. */
function parseEntry(line: string): readonly LedgerEntry[] {
  try {
    return [JSON.parse(line) as LedgerEntry];
  } catch {
    return [];
  }
}
