/** Keeps data folders between environments, templates and snapshots of earlier runs: whole or not at all, and always verified. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { parseExactJson } from '../../../kernel/exact-json.ts';
import { makeFolderBelow, moveBelow, writeFileBelow } from '../../../kernel/folders/entries-below.ts';
import { readPlainFile } from '../../../kernel/folders/own-file.ts';
import type { SnapshotContents } from '../postgres-server.ts';
import { copyFolder, removeData } from './copy-folder.ts';
import type { EmbeddedForm } from './embedded-form.ts';
import { type Template, templateRecipe } from './make-template.ts';

/** A data folder on which no server runs, and what is known about it. */
interface KeptData extends Template {
  /** What was stored with it. */
  readonly note?: unknown;
}

/** A process that is still storing a folder after this long is dead. */
const abandonedAfterMs = 600_000;

interface Size {
  readonly files: number;
  readonly bytes: number;
}

/** As no data folder is. */
const unreadable: Size = { files: -1, bytes: -1 };

/** Is next to the data, and is written last. */
interface Description extends Size {
  readonly password: string;
  readonly note?: unknown;
}

const descriptionName = 'template.json';

/** Copies what is kept in the entry to the folder; undefined when there is nothing, or nothing that can be used. */
export async function takeData(form: EmbeddedForm, entry: string, to: string): Promise<KeptData | undefined> {
  try {
    const description = parseExactJson(
      readPlainFile(path.join(entry, descriptionName)).toString(),
    ) as Description;
    const data = path.join(entry, 'data');
    // Looked through while it is copied: together they take no longer than the copy.
    const looking = sizeOf(data).catch(() => unreadable);
    await copyFolder(form, data, to);
    const size = await looking;
    if (size.files !== description.files || size.bytes !== description.bytes)
      throw new Error('it has changed');
    return { dataFolder: to, password: description.password, note: description.note };
  } catch {
    form.context.signal.throwIfAborted();
    await removeData(form, to);
    await dropData(form, entry);
    return undefined;
  }
}

/** Moves a data folder into the entry. Being unable to is not a failure: the next boot only takes longer. */
export async function keepData(form: EmbeddedForm, entry: string, kept: KeptData): Promise<void> {
  const { dataFolder, password, note } = kept;
  const below = path.dirname(form.context.cacheFolder);
  const making = `${entry}.making-${form.context.label}`;
  try {
    makeFolderBelow(below, making, 0o700);
    const data = path.join(making, 'data');
    // A folder cannot be moved to another file system.
    await rename(dataFolder, data).catch(() => copyFolder(form, dataFolder, data));
    const description: Description = { ...(await sizeOf(data)), password, note };
    writeFileBelow(below, path.join(making, descriptionName), JSON.stringify(description), 0o600);
    // Refused when another environment was first; its data is as good.
    moveBelow(below, making, entry);
  } catch {
    form.context.signal.throwIfAborted();
  } finally {
    await removeFolder(form, making);
  }
  await removeAbandoned(form, path.dirname(entry));
}

/** Moved away before it is removed, so that no process finds half of it. */
export async function dropData(form: EmbeddedForm, entry: string): Promise<void> {
  const aside = `${entry}.dropped-${form.context.label}`;
  try {
    moveBelow(path.dirname(form.context.cacheFolder), entry, aside);
  } catch {
    return; // there is none, or it is not ours to move
  }
  await removeFolder(form, aside);
}

/** Only those that were used last stay. */
async function dropOldest(form: EmbeddedForm, folder: string, most: number): Promise<void> {
  const entries = await Promise.all(
    (await namesIn(folder))
      .filter((name) => isEntry.test(name))
      .map(async (name) => ({
        entry: path.join(folder, name),
        usedAt: await changedAt(path.join(folder, name)),
      })),
  );
  const oldest = entries.sort((a, b) => b.usedAt - a.usedAt).slice(most);
  for (const { entry } of oldest) await dropData(form, entry);
}

/** Says that the entry is in use. */
async function touchData(form: EmbeddedForm, entry: string): Promise<void> {
  const now = form.context.clock.now() / 1_000;
  await utimes(entry, now, now).catch(() => undefined); // it only seems older than it is
}

async function sizeOf(folder: string): Promise<Size> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const stats = await Promise.all(files.map((entry) => stat(path.join(entry.parentPath, entry.name))));
  return { files: files.length, bytes: stats.reduce((sum, { size }) => sum + size, 0) };
}

/** What a crash left half-made. */
async function removeAbandoned(form: EmbeddedForm, folder: string): Promise<void> {
  for (const name of (await namesIn(folder)).filter(isHalf)) {
    const half = path.join(folder, name);
    if (form.context.clock.now() - (await changedAt(half)) > abandonedAfterMs) await removeFolder(form, half);
  }
}

/** The hash of all that decides what is in it. */
const isEntry = /^[\da-f]{64}$/;

function isHalf(name: string): boolean {
  return /\.(making|dropped)-/.test(name);
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** One that cannot be read counts as new: it is not touched. */
function changedAt(folder: string): Promise<number> {
  return stat(folder).then(
    (found) => found.mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
}

async function removeFolder(form: EmbeddedForm, folder: string): Promise<void> {
  await removeData(form, folder).catch(() => undefined); // not ours to remove: it is never used, and only takes room
}

interface StoredSnapshot extends Template {
  readonly contents: SnapshotContents;
}

const mostStored = 5;

/** More than this takes longer to copy than most jobs take to run. */
const mostBytes = 1024 * 1024 * 1024;

/** Another layout of the stored things, or another way to make them, is another number. */
const format = 2;

/** Undefined when nothing is stored for the requested key. */
export async function takeSnapshot(form: EmbeddedForm, to: string): Promise<StoredSnapshot | undefined> {
  const entry = entryOf(form);
  if (entry === undefined || !existsSync(entry)) return undefined;
  const taken = await takeData(form, entry, to);
  if (!taken) return undefined;
  await touchData(form, entry);
  return { ...taken, contents: taken.note as SnapshotContents };
}

/** A copy in the environment's own folder; undefined where it is not worth its time, or cannot be made. */
export async function setAside(form: EmbeddedForm, dataFolder: string): Promise<string | undefined> {
  const entry = entryOf(form);
  if (entry === undefined || existsSync(entry)) return undefined;
  const aside = `${dataFolder}-aside`;
  try {
    if ((await sizeOf(dataFolder)).bytes > mostBytes) return undefined;
    await copyFolder(form, dataFolder, aside);
    return aside;
  } catch {
    form.context.signal.throwIfAborted();
    return undefined; // the next run makes it again
  }
}

export async function keepSnapshot(form: EmbeddedForm, snapshot: StoredSnapshot): Promise<void> {
  const entry = entryOf(form);
  if (entry === undefined || existsSync(entry)) return;
  const { contents, dataFolder, password } = snapshot;
  if ((await sizeOf(dataFolder)).bytes > mostBytes) return;
  await keepData(form, entry, { dataFolder, password, note: contents });
  await dropOldest(form, path.dirname(entry), mostStored);
}

export async function dropSnapshot(form: EmbeddedForm): Promise<void> {
  const entry = entryOf(form);
  if (entry !== undefined) await dropData(form, entry);
}

function entryOf({ context, binaries, launcher }: EmbeddedForm): string | undefined {
  const key = context.snapshots?.key;
  if (key === undefined) return undefined;
  const recipe = [
    `format ${format}`,
    key,
    binaries.name,
    binaries.version,
    ...templateRecipe(binaries.version),
    `u${launcher.ownerUid}`,
  ];
  return path.join(
    context.cacheFolder,
    'snapshots',
    createHash('sha256').update(recipe.join('\n')).digest('hex'),
  );
}
