/** Where a keeper is reached: its sockets, and the token for the one with full access. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findOwnFile } from '../../kernel/folders/own-file.ts';
import { freshKey } from '../../kernel/unique-id.ts';
import { socketName } from '../run-folder.ts';

/** Accepts every request, from clients that can read the run folder. */
export function ownerSocket(runFolder: string): string {
  return path.join(runFolder, socketName);
}

/** In the workspace, where taps on stdio find it: accepts only reports of their calls. */
export function tapSocket(workspace: string): string {
  return path.join(workspace, 'taps.sock');
}

/** Created before the socket, so that every client that can connect can read it. */
export function makeToken(runFolder: string): string {
  const token = freshKey(32);
  writeFileSync(tokenFile(runFolder), token, { mode: 0o600, flag: 'wx' });
  return token;
}

/** Undefined when there is none that belongs to us. */
export function readToken(runFolder: string): string | undefined {
  return findOwnFile(tokenFile(runFolder));
}

function tokenFile(runFolder: string): string {
  return path.join(runFolder, 'keeper.token');
}

/** The longest path of a unix socket on all supported systems. */
const longestPath = 100;

/** A path that is too long is used relative to its folder; `work` must use the name before it returns. */
export function fromFolderOf<T>(file: string, work: (name: string) => T): T {
  const relative = path.relative(process.cwd(), file);
  const shorter = relative.length < file.length ? relative : file;
  if (Buffer.byteLength(shorter) <= longestPath) return work(shorter);
  const before = process.cwd();
  process.chdir(path.dirname(file));
  try {
    return work(path.basename(file));
  } finally {
    process.chdir(before);
  }
}
