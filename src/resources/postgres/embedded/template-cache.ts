/** Keeps initialised data folders between environments: whole or not at all, and never trusted blindly. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copyFolder } from './copy-folder.ts';
import type { EmbeddedForm } from './embedded-form.ts';
import { type Template, templateRecipe } from './make-template.ts';

/** Someone who is still making a template after this long is dead. */
const abandonedAfterMs = 600_000;

interface Size {
  readonly files: number;
  readonly bytes: number;
}

/** As no template is. */
const unreadable: Size = { files: -1, bytes: -1 };

/** Lies beside the data, and is written last. */
interface Description extends Size {
  readonly password: string;
}

/** Copies the cached template to the folder; undefined when there is none, or none that can be used. */
export async function takeTemplate(form: EmbeddedForm, to: string): Promise<Template | undefined> {
  const entry = entryFolder(form);
  try {
    const description = JSON.parse(await readFile(path.join(entry, 'template.json'), 'utf8')) as Description;
    const data = path.join(entry, 'data');
    // Looked through while it is copied: together they take no longer than the copy.
    const looking = sizeOf(data).catch(() => unreadable);
    await copyFolder(form.context, form.where, data, to);
    const size = await looking;
    if (size.files !== description.files || size.bytes !== description.bytes)
      throw new Error('it has changed');
    return { dataFolder: to, password: description.password };
  } catch {
    form.context.signal.throwIfAborted();
    await rm(to, { recursive: true, force: true });
    await dropTemplate(form);
    return undefined;
  }
}

/** Moves a template into the cache. Not being able to is no failure: the next boot only takes longer. */
export async function keepTemplate(form: EmbeddedForm, { dataFolder, password }: Template): Promise<void> {
  const entry = entryFolder(form);
  const making = `${entry}.making-${form.context.label}`;
  try {
    await mkdir(making, { recursive: true, mode: 0o700 });
    const data = path.join(making, 'data');
    // Another file system takes no move.
    await rename(dataFolder, data).catch(() => copyFolder(form.context, form.where, dataFolder, data));
    const description: Description = { ...(await sizeOf(data)), password };
    await writeFile(path.join(making, 'template.json'), JSON.stringify(description), { mode: 0o600 });
    // Refused when another environment was first; its template is as good.
    await rename(making, entry);
  } catch {
    form.context.signal.throwIfAborted();
  } finally {
    await removeFolder(making);
  }
  await removeAbandoned(form);
}

/** Moved away before it is removed, so that nobody finds half of it. */
export async function dropTemplate(form: EmbeddedForm): Promise<void> {
  const entry = entryFolder(form);
  const aside = `${entry}.dropped-${form.context.label}`;
  await rename(entry, aside).catch(() => 'there is none, or it is not ours to move');
  await removeFolder(aside);
}

function entryFolder({ context, binaries, launcher }: EmbeddedForm): string {
  const recipe = [binaries.name, binaries.version, ...templateRecipe(binaries.version)].join('\n');
  const hash = createHash('sha256').update(recipe).digest('hex').slice(0, 10);
  return path.join(context.cacheFolder, `postgres-${binaries.version}-${hash}-u${launcher.ownerUid}`);
}

async function sizeOf(folder: string): Promise<Size> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const stats = await Promise.all(files.map((entry) => stat(path.join(entry.parentPath, entry.name))));
  return { files: files.length, bytes: stats.reduce((sum, { size }) => sum + size, 0) };
}

/** What a crash left half-made. */
async function removeAbandoned({ context }: EmbeddedForm): Promise<void> {
  const names = await readdir(context.cacheFolder).catch(() => []);
  for (const name of names.filter((candidate) => /^postgres-.*\.(making|dropped)-/.test(candidate))) {
    const folder = path.join(context.cacheFolder, name);
    const changedAt = await stat(folder).then(
      (found) => found.mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (context.clock.now() - changedAt > abandonedAfterMs) await removeFolder(folder);
  }
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(
    () => 'not ours to remove: it is never used, and only takes room',
  );
}
