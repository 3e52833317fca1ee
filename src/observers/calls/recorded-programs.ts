/** Reads what the recorders on a service's PATH wrote: one file for each program that it started. */
import { readSync } from 'node:fs';
import path from 'node:path';
import { cutMark } from '../../kernel/cut-mark.ts';
import { readingPlainFile } from '../../kernel/folders/own-file.ts';
import { walkFolder } from '../files/walk-folder.ts';
import { ObservationError, type ObserverContext } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import type { CallView } from './call-view.ts';

export type EdgeChoice = (edge: { readonly from: string; readonly to: string }) => boolean;

/** Calls since the attempt began, each edge in the order of its calls. */
export type CallsOn = (edges: EdgeChoice) => Promise<readonly CallView[]>;

interface ProgramRecord {
  readonly file: string;
  readonly startedAt: number;
  readonly pid: number;
}

const recordName = /^(\d+(?:\.\d+)?)-(\d+)\.call$/;

export async function openRecordedPrograms({
  facts,
  signal,
}: Pick<ObserverContext, 'facts' | 'signal'>): Promise<CallsOn> {
  const recorded = async () =>
    (await facts()).services.flatMap(({ name: from, shims }) =>
      Object.entries(shims).map(([to, folder]) => ({ from, to, folder })),
    );
  const before = new Set<string>();
  for (const { folder } of await recorded())
    for (const { file } of await listRecords(folder, signal)) before.add(file);
  const argvOf = new Map<string, readonly string[]>();
  const readArguments = (file: string): readonly string[] | undefined => {
    const known = argvOf.get(file) ?? readRecord(file);
    if (known) argvOf.set(file, known);
    return known;
  };
  return async (edges) => {
    const views: CallView[] = [];
    for (const { from, to, folder } of (await recorded()).filter(edges)) {
      const records = (await listRecords(folder, signal)).filter(({ file }) => !before.has(file));
      let crossing = 0;
      for (const { file, startedAt } of records) {
        const argv = readArguments(file);
        if (!argv) continue;
        crossing += 1;
        const called = { crossing, from, to, protocol: 'command', method: to, argv };
        views.push({ ...called, startedAt, endedAt: startedAt });
      }
    }
    return views;
  };
}

async function listRecords(folder: string, signal: AbortSignal): Promise<readonly ProgramRecord[]> {
  const { files, isPartial } = await walkFolder({ root: folder, signal, enter: () => false });
  if (isPartial)
    throw new ObservationError(
      `more than ${observerLimits.elements} programs were started; too many to look at`,
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

/**
 * Undefined while nothing has been written: the program is just being started. A shim makes plain files; anything else with
 * such a name was put there by another program.
 */
function readRecord(file: string): readonly string[] | undefined {
  const bytes = readingPlainFile(file, ({ descriptor }) => {
    const beginning = Buffer.alloc(observerLimits.argvBytes);
    return beginning.subarray(0, readSync(descriptor, beginning));
  });
  if (!bytes || bytes.length === 0) return undefined;
  const isCut = bytes.length === observerLimits.argvBytes;
  return `${bytes.toString('utf8')}${isCut ? cutMark : ''}`.split('\0');
}
