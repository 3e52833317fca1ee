/** Finds the files that the globs of a job name. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { absentOn } from '../../kernel/system-error.ts';
import { globFiles } from '../../system/source/glob-files.ts';

export interface InputFile {
  /** As the globs see it, relative to the folder of the config. */
  readonly name: string;
  readonly file: string;
}

/** More than this is not what a job reads, but a glob that is too wide. */
const mostFiles = 5_000;
const mostBytes = 256 * 1024 * 1024;

/** In the order of their names; undefined when there are too many, or when they are too large. */
export async function findInputs(
  folder: string,
  globs: readonly string[],
): Promise<readonly InputFile[] | undefined> {
  const names = new Set<string>();
  for await (const file of globFiles(globs, folder)) {
    names.add(path.relative(folder, file));
    if (names.size > mostFiles) return undefined;
  }
  const found: InputFile[] = [];
  let bytes = 0;
  for (const name of [...names].sort()) {
    const file = path.resolve(folder, name);
    // Gone since it was found, or a link that leads nowhere.
    const facts = await stat(file).catch(absentOn('ENOENT', 'ENOTDIR', 'ELOOP'));
    if (!facts?.isFile()) continue;
    bytes += facts.size;
    found.push({ name, file });
  }
  return bytes > mostBytes ? undefined : found;
}
