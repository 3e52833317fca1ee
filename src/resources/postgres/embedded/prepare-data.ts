/** Gives an environment a data folder of its own: a stored snapshot, a copy of the cached template, or a new one that becomes the cached one. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { ResourceContext } from '../../resource.ts';
import { runTool } from '../../run-step.ts';
import type { SnapshotContents } from '../postgres-server.ts';
import { copyFolder, removeData } from './copy-folder.ts';
import { dropData, keepData, takeData, takeSnapshot } from './data-cache.ts';
import type { EmbeddedForm } from './embedded-form.ts';
import { makeTemplate, type Template, templateRecipe } from './make-template.ts';

export interface PreparedData extends Template {
  readonly from: 'snapshot' | 'template' | 'nothing';
  /** Of a snapshot, what it holds. */
  readonly contents?: SnapshotContents;
}

export async function prepareData(form: EmbeddedForm, useStored: boolean): Promise<PreparedData> {
  const { folder, random, label } = form.context;
  // Spreading goes by the name, so the name is another one each time.
  const dataFolder = path.join(folder, `data-${label}`);
  await removeData(form, dataFolder);
  await spreadSubfolders(form.context, folder);
  const stored = useStored ? await takeSnapshot(form, dataFolder) : undefined;
  if (stored) return { ...stored, from: 'snapshot' };
  const taken = await takeTemplate(form, dataFolder);
  if (taken) return { ...taken, from: 'template' };

  const making = path.join(folder, `making-${label}`);
  const made = await makeTemplate(form, making, random.fork('template').hex(32));
  await copyFolder(form, made.dataFolder, dataFolder);
  await keepTemplate(form, made);
  await removeData(form, making);
  return { dataFolder, password: made.password, from: 'nothing' };
}

/**
 * ext4 does not reuse the inode of a deleted file for minutes, and searches past it for each new file in that region
 * of the disk. Environments that come and go by the thousand files make every copy ten times slower without this
 * (measured: 780 ms instead of 70). The flag means "top of a hierarchy"; without `chattr` it is only slower.
 */
async function spreadSubfolders(context: ResourceContext, folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  await runTool(context, ['chattr', '-f', '+T', folder]).catch(() => {
    context.signal.throwIfAborted();
  });
}

/** Copies the cached template to the folder; undefined when there is none, or none that can be used. */
function takeTemplate(form: EmbeddedForm, to: string): Promise<Template | undefined> {
  return takeData(form, entryFolder(form), to);
}

function keepTemplate(form: EmbeddedForm, template: Template): Promise<void> {
  return keepData(form, entryFolder(form), template);
}

export function dropTemplate(form: EmbeddedForm): Promise<void> {
  return dropData(form, entryFolder(form));
}

function entryFolder({ context, binaries, launcher }: EmbeddedForm): string {
  const recipe = [binaries.name, binaries.version, ...templateRecipe(binaries.version)].join('\n');
  const hash = createHash('sha256').update(recipe).digest('hex').slice(0, 10);
  return path.join(context.cacheFolder, `postgres-${binaries.version}-${hash}-u${launcher.ownerUid}`);
}
