/** Gives an environment a data folder of its own: a copy of the cached template, or a new one that becomes the cached one. */
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { EmbeddedForm } from './embedded-form.ts';
import { makeTemplate, type Template } from './make-template.ts';
import { keepTemplate, takeTemplate } from './template-cache.ts';

export interface PreparedData extends Template {
  readonly fromCache: boolean;
}

export async function prepareData(form: EmbeddedForm): Promise<PreparedData> {
  const { folder, random } = form.context;
  const dataFolder = path.join(folder, 'data');
  await rm(dataFolder, { recursive: true, force: true });
  const taken = await takeTemplate(form, dataFolder);
  if (taken) return { ...taken, fromCache: true };

  const making = path.join(folder, 'making');
  const made = await makeTemplate(form, making, random.fork('template').hex(32));
  await keepTemplate(form, made);
  await rename(made.dataFolder, dataFolder);
  await rm(making, { recursive: true, force: true });
  return { dataFolder, password: made.password, fromCache: false };
}
