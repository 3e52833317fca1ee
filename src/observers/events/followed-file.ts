/** Follows one file of events from its mark on, also under another name. */
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { absentOn } from '../../kernel/system-error.ts';
import { createLineReader, type RawLine } from '../line-reader.ts';
import { ObservationError } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { bytesBefore, type FileMark, findMark, reachAt } from './file-marks.ts';
import { isWholeEvent } from './read-event.ts';

export function followFile(mark: FileMark, signal: AbortSignal) {
  const reader = createLineReader({ from: mark.offset, lineBytes: observerLimits.eventBytes, signal });
  return {
    /** The last line, when only its end is missing. */
    unfinished: (): RawLine | undefined => {
      const line = reader.unfinished();
      return isWholeEvent(line) ? line : undefined;
    },
    /** Hands over each line that was finished since the last time; throws where lines can no longer be read. */
    readOn: async (take: (line: RawLine) => void): Promise<void> => {
      const there = await findAgain(mark);
      if (there === undefined) throw lost(mark);
      await reader.readOn(there, take);
      // Another file may have got the name just before it was opened.
      if (!(await isThere(mark, there))) throw lost(mark);
      const offset = reader.offset();
      const before = offset < mark.reach.offset ? undefined : bytesBefore(there, offset);
      const stats = before && (await stat(there).catch(absentOn('ENOENT')));
      if (stats) mark.reach = reachAt(stats, offset, before);
    },
  };
}

export type FollowedFile = ReturnType<typeof followFile>;

function lost({ file }: FileMark): ObservationError {
  return new ObservationError(
    `${path.basename(file)} was emptied, replaced or removed during the attempt, so that what was written last is not known; let it grow, or rename the old one`,
  );
}

/** Under its name, or under another in the same folder. */
async function findAgain(mark: FileMark): Promise<string | undefined> {
  if (await isThere(mark, mark.file)) return mark.file;
  const folder = path.dirname(mark.file);
  const names = (await readdir(folder).catch(absentOn('ENOENT', 'ENOTDIR'))) ?? [];
  for (const name of names.slice(0, observerLimits.elements)) {
    const file = path.join(folder, name);
    if (await isThere(mark, file)) return file;
  }
  return undefined;
}

async function isThere(mark: FileMark, file: string): Promise<boolean> {
  const stats = await stat(file).catch(absentOn('ENOENT', 'ELOOP', 'EACCES'));
  if (!stats?.isFile() || stats.size < mark.reach.offset) return false;
  return !isRewritten(mark, stats) && (await findMark([mark], file, stats)) !== undefined;
}

/** It was written to and has not grown: it was emptied, and what it says now may not be all that it said. */
function isRewritten({ reach }: FileMark, { size, mtimeMs }: Stats): boolean {
  return size === reach.offset && reach.mtimeMs !== undefined && mtimeMs !== reach.mtimeMs;
}
