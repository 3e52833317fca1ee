/** Paths in a compose file: relative to the folder of its project. */
import path from 'node:path';

/** Where relative paths begin, and where `~` is. */
export interface Folder {
  readonly folder: string;
  readonly home: string | undefined;
}

export function resolvePath(written: string, { folder, home }: Folder): string {
  if (home !== undefined && (written === '~' || written.startsWith('~/')))
    return path.join(home, written.slice(1));
  return path.resolve(folder, written);
}

/** A build can come from a repository or an archive. */
export function isRemote(context: string): boolean {
  return /^(?:[a-z]+:\/\/|git@|github\.com\/)/.test(context);
}
