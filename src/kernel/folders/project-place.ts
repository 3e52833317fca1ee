/** Where a file of ours goes in the project of a user: no link on the way to it leads out of the project. */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { badUsage } from '../problem.ts';
import { absentOn } from '../system-error.ts';

export interface ProjectPlace {
  /** The deepest folder on the way that exists, without links. */
  readonly below: string;
  readonly file: string;
  /** Named by the user, outside of the project. */
  readonly isOutside?: true;
}

/** A file that is named outside of the project was chosen by the user; one below it stays in the project, or its repository. */
export function projectPlace(project: string, file: string): ProjectPlace {
  const place = realPlace(file);
  if (!isBelow(path.resolve(project), path.resolve(file))) return { ...place, isOutside: true };
  const root = repositoryOf(realPlace(path.join(project, 'any')).below);
  if (isBelow(root, place.file)) return place;
  throw badUsage(
    file,
    `a link on the way leads out of the project: it would be written as ${place.file}`,
    `a folder inside ${root}`,
    `look at the links: ls -l ${path.dirname(path.dirname(file))}; put a real folder in place of the link`,
  );
}

function realPlace(file: string): ProjectPlace {
  const folder = path.dirname(path.resolve(file));
  const below = realFolder(folder);
  if (below !== undefined) return { below, file: path.join(below, path.basename(file)) };
  if (isLink(folder))
    throw badUsage(
      file,
      `${folder} is a link that leads nowhere`,
      'a folder, or a path where one can be created',
      `remove the link, or create what it names: ls -l ${path.dirname(folder)}`,
    );
  const outer = realPlace(folder);
  return { below: outer.below, file: path.join(outer.file, path.basename(file)) };
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch (error) {
    return absentOn('ENOENT', 'ENOTDIR', 'ELOOP')(error);
  }
}

function repositoryOf(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
    if (path.dirname(at) === at) return folder;
  }
}

function isBelow(folder: string, entry: string): boolean {
  const relative = path.relative(folder, entry);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`);
}

function isLink(entry: string): boolean {
  try {
    return lstatSync(entry).isSymbolicLink();
  } catch (error) {
    return absentOn('ENOENT', 'ENOTDIR')(error) ?? false;
  }
}
