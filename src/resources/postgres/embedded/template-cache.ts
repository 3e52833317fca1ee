/** The cached template: an initialised data folder with an empty main database, made once for each version. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { dropData, keepData, takeData } from './data-cache.ts';
import type { EmbeddedForm } from './embedded-form.ts';
import { type Template, templateRecipe } from './make-template.ts';

/** Copies the cached template to the folder; undefined when there is none, or none that can be used. */
export function takeTemplate(form: EmbeddedForm, to: string): Promise<Template | undefined> {
  return takeData(form, entryFolder(form), to);
}

export function keepTemplate(form: EmbeddedForm, template: Template): Promise<void> {
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
