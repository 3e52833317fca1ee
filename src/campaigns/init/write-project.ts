/** Writes a new project into a folder: every file of it, or none. */
import { lstat, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { worldProblem } from '../../environment/processes/world-problem.ts';
import { removeEmptyFolder, removeFile } from '../../kernel/folders/entries-below.ts';
import { projectPlace } from '../../kernel/folders/project-place.ts';
import { Problem } from '../../kernel/problem.ts';
import { absentOn, errorCode } from '../../kernel/system-error.ts';
import { configNames } from '../../system/find-config.ts';

/** Creates the folder if needed. Existing files are not touched. */
export async function writeProject(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await refuseTaken(folder, [...files.keys()]);
  await writeFiles(folder, files);
}

/** All of them or none; one that exists is an error. */
export async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const written: string[] = [];
  const made: string[] = [];
  let place = folder;
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, content] of files) {
      const file = path.join(folder, name);
      place = path.dirname(file);
      if ((await mkdir(place, { recursive: true })) !== undefined) made.push(place);
      const opened = await open(file, 'wx');
      written.push(file);
      await opened.writeFile(content).finally(() => opened.close());
    }
  } catch (error) {
    for (const file of written) removeFile(file);
    for (const inner of made) removeEmptyFolder(inner);
    if (errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOTDIR') throw notAFolder(place, error);
    throw worldProblem(error, folder);
  }
}

/** Other configs count as well: a second one would make the folder ambiguous. */
export async function refuseTaken(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) projectPlace(folder, path.join(folder, name));
  const unwanted = [...new Set([...names, ...configNames])];
  const taken = await Promise.all(
    unwanted.map(async (name) => ((await exists(path.join(folder, name))) ? [name] : [])),
  );
  if (taken.flat().length === 0) return;
  throw new Problem({
    code: 'usage.not-empty',
    where: folder,
    what: `these exist already: ${taken.flat().join(', ')}`,
    allowed: `a folder without ${names.join(', ')}, and without another config`,
    next: 'give the name of a new folder: shakedown init my-system',
  });
}

/** A dangling link counts as existing. */
async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(absentOn('ENOENT', 'ENOTDIR', 'EACCES'))) !== undefined;
}

function notAFolder(folder: string, cause: unknown): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: folder,
    what: 'there is a file where the folder should be',
    allowed: 'a folder, or a path where one can be created',
    next: 'give another name: shakedown init my-system',
    cause,
  });
}
