/** Reads what the recorders on a service's PATH wrote: one file for each program that it started. */
import { closeSync, readSync } from 'node:fs';
import path from 'node:path';
import type { EnvironmentFacts } from '../../journal/environment-facts.ts';
import { cutMark } from '../../kernel/cut-mark.ts';
import { findPlainFile } from '../../kernel/folders/own-file.ts';
import { walkFolder } from '../files/walk-folder.ts';
import { ObservationError } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import type { CallView } from './call-view.ts';

export type EdgeChoice = (edge: { readonly from: string; readonly to: string }) => boolean;

export interface RecordedPrograms {
  /** Calls since the attempt began, each edge in the order of its calls. */
  on(edges: EdgeChoice): Promise<readonly CallView[]>;
}

export interface RecordOptions {
  readonly facts: () => Promise<EnvironmentFacts>;
  readonly signal: AbortSignal;
}

interface ProgramRecord {
  readonly file: string;
  readonly startedAt: number;
  readonly pid: number;
}

const recordName = /^(\d+(?:\.\d+)?)-(\d+)\.call$/;

export async function openRecordedPrograms({ facts, signal }: RecordOptions): Promise<RecordedPrograms> {
  const recorded = async () =>
    (await facts()).services.flatMap(({ name: from, shims }) =>
      Object.entries(shims).map(([to, folder]) => ({ from, to, folder })),
    );
  const before = new Set<string>();
  for (const { folder } of await recorded())
    for (const { file } of await listRecords(folder, signal)) before.add(file);
  const argvOf = new Map<string, readonly string[]>();
  const readArguments = async (file: string): Promise<readonly string[] | undefined> => {
    const known = argvOf.get(file) ?? (await readRecord(file));
    if (known) argvOf.set(file, known);
    return known;
  };
  return {
    on: async (edges) => {
      const views: CallView[] = [];
      for (const { from, to, folder } of (await recorded()).filter(edges)) {
        const records = (await listRecords(folder, signal)).filter(({ file }) => !before.has(file));
        let crossing = 0;
        for (const { file, startedAt } of records) {
          const argv = await readArguments(file);
          if (!argv) continue;
          crossing += 1;
          views.push({
            crossing,
            from,
            to,
            protocol: 'command',
            method: to,
            argv,
            startedAt,
            endedAt: startedAt,
          });
        }
      }
      return views;
    },
  };
}

async function listRecords(folder: string, signal: AbortSignal): Promise<readonly ProgramRecord[]> {
  const { files, isPartial } = await walkFolder({ root: folder, signal, enter: () => false });
  if (isPartial)
    throw new ObservationError(
      `more than ${observerLimits.elements} programs were started; too many to look at`,
      'never',
    );
  const records = files.flatMap(({ path: name }) => {
    const [, time, pid] = recordName.exec(name) ?? [];
    if (time === undefined) return [];
    return [{ file: path.join(folder, name), startedAt: toMs(time), pid: Number(pid) }];
  });
  return records.sort((a, b) => a.startedAt - b.startedAt || a.pid - b.pid);
}

/** Seconds, milliseconds, micro- or nanoseconds since 1970 are distinguished by their number of digits. */
function toMs(time: string): number {
  const [whole = ''] = time.split('.');
  const ms = Number(time) / 10 ** (Math.round((whole.length - 10) / 3) * 3 - 3);
  return Math.round(ms * 1_000) / 1_000;
}

/** Undefined while nothing has been written: the program is just being started. */
async function readRecord(file: string): Promise<readonly string[] | undefined> {
  const bytes = readBeginning(file);
  if (!bytes || bytes.length === 0) return undefined;
  const isCut = bytes.length === observerLimits.argvBytes;
  return `${bytes.toString('utf8')}${isCut ? cutMark : ''}`.split('\0');
}

/** A shim makes plain files; anything else with such a name was put there by another program. */
function readBeginning(file: string): Buffer | undefined {
  const descriptor = findPlainFile(file)?.descriptor;
  if (descriptor === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(observerLimits.argvBytes);
    return bytes.subarray(0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
