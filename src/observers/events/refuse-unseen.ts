/** Finds what a rotation may have carried away before any check looked. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { absentOn } from '../../kernel/system-error.ts';
import { ObservationError } from '../observer.ts';
import { type FileMark, type FileMarks, findMark } from './file-marks.ts';

/** Throws where a file beside one of these, written during the attempt, has a name as rotation gives it, and is not read. */
export async function refuseUnseen(
  files: ReadonlySet<string>,
  marks: FileMarks,
  followed: ReadonlyMap<FileMark, unknown>,
): Promise<void> {
  const names = Map.groupBy(files, (file) => path.dirname(file));
  for (const [folder, own] of names)
    for (const name of (await readdir(folder).catch(absentOn('ENOENT', 'ENOTDIR'))) ?? []) {
      const of = own.map((file) => path.basename(file)).find((one) => isRotatedName(name, one));
      if (of === undefined) continue;
      const file = path.join(folder, name);
      const stats = await stat(file).catch(absentOn('ENOENT', 'ELOOP', 'EACCES'));
      if (!stats?.isFile() || stats.size === 0) continue;
      if ((await marks.isUnchanged(file, stats)) || (await findMark(followed.keys(), file, stats))) continue;
      throw new ObservationError(
        `${name} was written during the attempt and may have been ${of} between two looks, so that what it holds is not known; let ${of} grow, or name both with a glob`,
      );
    }
}

/** `events.jsonl.1`, `events.jsonl.old`, `events.1.jsonl`, `events-2026-11-16.jsonl`. */
function isRotatedName(name: string, of: string): boolean {
  if (name.startsWith(of)) return name !== of && !/\.(?:lock|pid|swp|te?mp)$/.test(name);
  const { name: stem, ext } = path.parse(of);
  return name.startsWith(stem) && /^[-_.]\d/.test(name.slice(stem.length)) && name.includes(ext);
}
