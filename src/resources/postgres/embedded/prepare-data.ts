/** Gives an environment a data folder of its own: a stored snapshot, a copy of the cached template, or a new one that becomes the cached one. */
import path from 'node:path';
import type { SnapshotContents } from '../postgres-server.ts';
import { copyFolder, removeData } from './copy-folder.ts';
import type { EmbeddedForm } from './embedded-form.ts';
import { makeTemplate, type Template } from './make-template.ts';
import { takeSnapshot } from './snapshot-store.ts';
import { spreadSubfolders } from './spread-subfolders.ts';
import { keepTemplate, takeTemplate } from './template-cache.ts';

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
