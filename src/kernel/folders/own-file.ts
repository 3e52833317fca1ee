/** Opens files that others may have replaced: only regular files, never through a link, and never blocking. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { limits } from '../limits.ts';
import { Problem } from '../problem.ts';
import { absentOn, errorCode } from '../system-error.ts';

/** Throws ELOOP for a link, EINVAL for anything else that is not a regular file. */
export function openPlainFile(
  file: string,
  links: 'refused' | 'followed' = 'refused',
): { readonly descriptor: number; readonly stats: Stats } {
  const noLink = links === 'refused' ? constants.O_NOFOLLOW : 0;
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | noLink);
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return { descriptor, stats };
  closeSync(descriptor);
  throw Object.assign(new Error(`EINVAL: not a plain file, '${file}'`), { code: 'EINVAL' });
}

/** The same; undefined when the file does not exist. */
export function findPlainFile(
  file: string,
  links?: 'refused' | 'followed',
): ReturnType<typeof openPlainFile> | undefined {
  try {
    return openPlainFile(file, links);
  } catch (error) {
    return absentOn('ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL', 'ENXIO')(error);
  }
}

/** What is read of it, before it is closed; undefined when the file does not exist. */
export function readingPlainFile<Read>(
  file: string,
  read: (opened: ReturnType<typeof openPlainFile>) => Read,
  links?: 'refused' | 'followed',
): Read | undefined {
  const opened = findPlainFile(file, links);
  if (!opened) return undefined;
  try {
    return read(opened);
  } finally {
    closeSync(opened.descriptor);
  }
}

/** For files in any folder: reading a pipe might never end. */
export function readPlainFile(file: string): Buffer {
  const { descriptor } = openPlainFile(file, 'followed');
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A file that we own and no other user can write. Throws with the reason when it is not. */
export function readOwnFile(file: string): string {
  let descriptor: number | undefined;
  try {
    const opened = openPlainFile(file);
    descriptor = opened.descriptor;
    const obstacle = foreignness(opened.stats);
    if (obstacle !== undefined) throw distrusted(file, `it ${obstacle}`);
    if (opened.stats.size > limits.ownFileBytes) throw distrusted(file, `it has ${opened.stats.size} bytes`);
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    throw code === 'ELOOP' || code === 'EINVAL' || code === 'ENXIO'
      ? distrusted(file, `${code}: it is not a plain file`)
      : error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The same; undefined when there is no file that can be trusted. */
export function findOwnFile(file: string): string | undefined {
  try {
    return readOwnFile(file);
  } catch (error) {
    return error instanceof Problem ? undefined : absentOn('ENOENT', 'ENOTDIR')(error);
  }
}

function distrusted(file: string, what: string): Problem {
  return new Problem({
    code: 'left.behind',
    where: file,
    what,
    allowed: 'a plain file that belongs to you and that no other user can write',
    next: 'inspect the file, and remove it by hand',
  });
}

/** Why an entry cannot be trusted; undefined when we own it and no other user can write it. */
export function foreignness({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): string | undefined {
  const own = process.geteuid?.();
  if (own === undefined) return undefined;
  if (uid !== own) return `belongs to user ${uid}, not to us`;
  return (mode & 0o022) === 0 ? undefined : 'can be written by other users';
}
