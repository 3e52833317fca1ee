/** Gives an environment a data folder of its own: a copy of the cached template, or a new one that becomes the cached one. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { copyFolder } from './copy-folder.ts';
import type { EmbeddedForm } from './embedded-form.ts';
import { makeTemplate, type Template } from './make-template.ts';
import { spreadSubfolders } from './spread-subfolders.ts';
import { keepTemplate, takeTemplate } from './template-cache.ts';

export interface PreparedData extends Template {
  readonly fromCache: boolean;
}

export async function prepareData(form: EmbeddedForm): Promise<PreparedData> {
  const { folder, random, label } = form.context;
  // Spreading goes by the name, so the name is another one each time.
  const dataFolder = path.join(folder, `data-${label}`);
  await rm(dataFolder, { recursive: true, force: true });
  await spreadSubfolders(form.context, folder);
  const taken = await takeTemplate(form, dataFolder);
  if (taken) return { ...taken, fromCache: true };

  const making = path.join(folder, `making-${label}`);
  const made = await makeTemplate(form, making, random.fork('template').hex(32));
  await copyFolder(form.context, form.where, made.dataFolder, dataFolder);
  await keepTemplate(form, made);
  await rm(making, { recursive: true, force: true });
  return { dataFolder, password: made.password, fromCache: false };
}
