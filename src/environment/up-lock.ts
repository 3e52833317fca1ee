/** One `up` per folder: a lock file that names the run. */
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { removeFile } from '../kernel/folders/entries-below.ts';
import { findOwnFile } from '../kernel/folders/own-file.ts';
import { errorCode } from '../kernel/system-error.ts';
import { isRunId } from '../kernel/unique-id.ts';
import type { ProcessIdentity } from './containment/process-table.ts';
import { checkStateFolder, stateFolder } from './run-folder.ts';

export interface UpLock {
  readonly run: string;
  /** The process that took it, until a keeper answers. */
  readonly holder: ProcessIdentity | undefined;
  readonly bootId: string;
}

export function upLockFile(systemFolder: string): string {
  return path.join(stateFolder(systemFolder), 'up.json');
}

/** False when another process was first. The file is created atomically. */
export function takeUpLock(systemFolder: string, lock: UpLock): boolean {
  checkStateFolder(systemFolder);
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

/** Undefined when there is no lock; a damaged file, or one that is not ours, does not count. */
export function readUpLock(systemFolder: string): UpLock | undefined {
  checkStateFolder(systemFolder);
  try {
    const lock = JSON.parse(findOwnFile(upLockFile(systemFolder)) ?? '') as Partial<UpLock> | null;
    const isWhole = isRunId(lock?.run) && Number.isInteger(lock.holder?.pid ?? 0);
    return isWhole ? (lock as UpLock) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Only the run that holds it can release it. */
export function releaseUpLock(systemFolder: string, run: string): void {
  if (readUpLock(systemFolder)?.run === run) removeUpLock(systemFolder);
}

/** Whichever run holds it. */
export function removeUpLock(systemFolder: string): void {
  removeFile(upLockFile(systemFolder), systemFolder);
}
