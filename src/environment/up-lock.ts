/** One `up` per folder: a file that names the run which holds it. */
import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { removeFile } from '../kernel/folders/entries-below.ts';
import { errorCode } from '../kernel/system-error.ts';
import type { ProcessIdentity } from './containment/process-table.ts';
import { stateFolder } from './run-folder.ts';

export interface UpLock {
  readonly run: string;
  /** Whoever took it, until a keeper answers. */
  readonly holder: ProcessIdentity | undefined;
  readonly bootId: string;
}

export function upLockFile(systemFolder: string): string {
  return path.join(stateFolder(systemFolder), 'up.json');
}

/** False when somebody else was first. The file appears whole or not at all. */
export function takeUpLock(systemFolder: string, lock: UpLock): boolean {
  mkdirSync(stateFolder(systemFolder), { recursive: true });
  const draft = path.join(stateFolder(systemFolder), `up.${lock.run}.json`);
  try {
    writeFileSync(draft, JSON.stringify(lock), { mode: 0o600 });
    linkSync(draft, upLockFile(systemFolder));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    removeFile(draft);
  }
}

/** Undefined when nobody holds it. */
export function readUpLock(systemFolder: string): UpLock | undefined {
  try {
    return JSON.parse(readFileSync(upLockFile(systemFolder), 'utf8')) as UpLock;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR')
      return undefined;
    throw error;
  }
}

/** Only the run that holds it can let it go. */
export function releaseUpLock(systemFolder: string, run: string): void {
  if (readUpLock(systemFolder)?.run === run) removeFile(upLockFile(systemFolder));
}
