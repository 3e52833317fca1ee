/** What a program prints: straight to two files, of which any part can be read back within a limit. */
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { removeWhole } from '../../kernel/folders/remove-tree.ts';
import { absentOn } from '../../kernel/system-error.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';

export interface Offsets {
  readonly stdout: number;
  readonly stderr: number;
}

export interface OutputText {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined when all of it is there, else how many bytes there were. */
  readonly truncated?: Offsets;
}

export function createOutputFiles(scratch: string) {
  const folder = mkdtempSync(path.join(scratch, 'command-'));
  const files = { stdout: path.join(folder, 'stdout'), stderr: path.join(folder, 'stderr') };
  return {
    /** To be given to the program, then closed. */
    open: (): { readonly stdout: number; readonly stderr: number; close(): void } => {
      const [stdout, stderr] = [openSync(files.stdout, 'a', 0o600), openSync(files.stderr, 'a', 0o600)];
      return { stdout, stderr, close: () => [stdout, stderr].forEach(closeSync) };
    },
    sizes: (): Offsets => ({ stdout: sizeOf(files.stdout), stderr: sizeOf(files.stderr) }),
    read: (from: Offsets, to: Offsets, mostBytes: number): OutputText => ({
      stdout: readPart(files.stdout, from.stdout, to.stdout, mostBytes),
      stderr: readPart(files.stderr, from.stderr, to.stderr, mostBytes),
      ...(to.stdout - from.stdout > mostBytes || to.stderr - from.stderr > mostBytes
        ? { truncated: { stdout: to.stdout - from.stdout, stderr: to.stderr - from.stderr } }
        : {}),
    }),
    remove: (): Promise<void> => removeWhole(folder),
  };
}

export type OutputFiles = ReturnType<typeof createOutputFiles>;

/** The folder of an attempt may go before the program does; then there is nothing to read. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function readPart(file: string, from: number, to: number, mostBytes: number): string {
  const wanted = Math.min(to - from, mostBytes);
  const fd = wanted > 0 ? openIfThere(file) : undefined;
  if (fd === undefined) return '';
  try {
    const bytes = Buffer.alloc(Math.min(wanted, Math.max(0, fstatSync(fd).size - from)));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(fd, bytes, filled, bytes.length - filled, from + filled);
      if (count === 0) break;
      filled += count;
    }
    // A character that the limit cuts in half is left out.
    return utf8Text(bytes.subarray(0, filled), to - from > mostBytes);
  } finally {
    closeSync(fd);
  }
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch (error) {
    return absentOn('ENOENT', 'ENOTDIR')(error);
  }
}
