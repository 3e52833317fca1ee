/** Records which files the services have in their own folders, and how they changed later. */
import { readlink } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EnvironmentFacts } from '../../journal/environment-facts.ts';
import { absentOn } from '../../kernel/system-error.ts';
import type { Changes } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { isSettled, markOf } from './known-hashes.ts';
import { readContent } from './read-content.ts';
import { type FoundFile, walkFolder } from './walk-folder.ts';

interface FileChange {
  readonly kind: 'file';
  readonly service: string;
  /** Relative to the service's `dir`, or after `home:` or `tmp:`. */
  readonly path: string;
  readonly op: 'created' | 'changed' | 'deleted' | 'unknown';
  readonly because?: string;
}

interface KnownFile {
  readonly service: string;
  readonly path: string;
  readonly file: Buffer;
  readonly found: FoundFile;
  /** The hash of its content; undefined when it is large and its dates are proof enough. */
  readonly hash: string | undefined;
  /** No later change can leave these dates. */
  readonly isSettled: boolean;
}

interface AllFiles {
  readonly files: ReadonlyMap<string, KnownFile>;
  /** Folders with too many files to know them all, or that may not be read. */
  readonly unknown: readonly { readonly service: string; readonly path: string; readonly because: string }[];
}

interface FolderReading {
  readonly facts: EnvironmentFacts;
  /** Wall time. */
  readonly now: number;
  readonly signal: AbortSignal;
}

export const fileChanges: Changes = {
  kind: 'files',
  open: async ({ clock, facts, signal }, begin) => {
    const before = await readAllFiles({ facts: begin, now: clock.now(), signal });
    return {
      look: async () => compareFiles(before, { facts: await facts(), now: clock.now(), signal }),
    };
  },
};

/** Small files are known by content, large ones by their dates. */
async function readAllFiles(reading: FolderReading): Promise<AllFiles> {
  return listFiles(reading, async (file, found) => {
    const limit = isSettled(found.stats, reading.now)
      ? observerLimits.baselineFileBytes
      : observerLimits.parsedBytes;
    return found.stats.size <= limit ? hashOf(file, found, reading.signal) : undefined;
  });
}

/** Reads only what may be different. */
async function compareFiles(before: AllFiles, reading: FolderReading): Promise<readonly FileChange[]> {
  const now = await listFiles(reading, async () => undefined);
  const changes: FileChange[] = [...before.unknown, ...now.unknown].map((folder) => ({
    kind: 'file',
    op: 'unknown',
    ...folder,
  }));
  const note = ({ service, path: name }: KnownFile, op: FileChange['op']): void =>
    void changes.push({ kind: 'file', service, path: name, op });
  for (const [key, young] of now.files) {
    const old = before.files.get(key);
    if (!old) note(young, 'created');
    else if (await isDifferent(old, young, reading.signal)) note(young, 'changed');
  }
  for (const [key, old] of before.files) if (!now.files.has(key)) note(old, 'deleted');
  return changes.sort((a, b) => (`${a.service} ${a.path}` < `${b.service} ${b.path}` ? -1 : 1));
}

async function isDifferent(old: KnownFile, young: KnownFile, signal: AbortSignal): Promise<boolean> {
  if (old.isSettled && markOf(old.found.stats) === markOf(young.found.stats)) return false;
  if (old.found.kind !== young.found.kind) return true;
  if (old.found.stats.mode !== young.found.stats.mode || old.found.stats.size !== young.found.stats.size)
    return true;
  if (old.hash === undefined) return markOf(old.found.stats) !== markOf(young.found.stats);
  return (await hashOf(young.file, young.found, signal)) !== old.hash;
}

/** Files between two turns of the event loop. */
const filesPerTurn = 100;

async function listFiles(
  { facts, now, signal }: FolderReading,
  hash: (file: Buffer, found: FoundFile) => Promise<string | undefined>,
): Promise<AllFiles> {
  const files = new Map<string, KnownFile>();
  const unknown: AllFiles['unknown'][number][] = [];
  const owners = [
    ...facts.services,
    ...facts.volumes.map(({ name, folder }) => ({ name, folders: { dir: folder } })),
  ];
  for (const { name: service, folders } of owners)
    for (const [own, root] of Object.entries(folders)) {
      const prefix = own === 'dir' ? '' : `${own}:`;
      const { files: found, isPartial, closed } = await walkFolder({ root, signal });
      for (const [index, one] of found.entries()) {
        if (index % filesPerTurn === 0) await nextTurn();
        const { file } = one;
        const known = {
          service,
          path: prefix + one.path,
          file,
          found: one,
          isSettled: isSettled(one.stats, now),
        };
        files.set(path.join(root, one.path), { ...known, hash: await hash(file, one) });
      }
      if (isPartial)
        unknown.push({ service, path: prefix, because: `more than ${observerLimits.elements} files` });
      for (const folder of closed)
        unknown.push({ service, path: prefix + folder, because: 'may not be read' });
    }
  return { files, unknown };
}

async function hashOf(file: Buffer, { kind }: FoundFile, signal: AbortSignal): Promise<string | undefined> {
  if (kind === 'other') return '';
  if (kind === 'link') return readlink(file, 'latin1').catch(absentOn('ENOENT', 'EINVAL'));
  return (await readContent(file, signal).catch(absentOn('ENOENT', 'EACCES', 'ELOOP')))?.sha256;
}
