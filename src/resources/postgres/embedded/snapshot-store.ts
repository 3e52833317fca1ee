/** Snapshots of earlier runs: data folders in which the jobs' work is done, one for each set of inputs. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { SnapshotContents } from '../postgres-server.ts';
import { dropData, dropOldest, keepData, sizeOf, takeData, touchData } from './data-cache.ts';
import type { EmbeddedForm } from './embedded-form.ts';
import { type Template, templateRecipe } from './make-template.ts';

export interface StoredSnapshot extends Template {
  readonly contents: SnapshotContents;
}

const mostStored = 5;

/** More than this takes longer to copy than most jobs take to run. */
const mostBytes = 1024 * 1024 * 1024;

/** Another layout of the stored things is another number. */
const format = 1;

/** Undefined when nothing is stored for the requested key. */
export async function takeSnapshot(form: EmbeddedForm, to: string): Promise<StoredSnapshot | undefined> {
  const entry = entryOf(form);
  if (entry === undefined || !existsSync(entry)) return undefined;
  const taken = await takeData(form, entry, to);
  if (!taken) return undefined;
  await touchData(form, entry);
  return { ...taken, contents: taken.note as SnapshotContents };
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
