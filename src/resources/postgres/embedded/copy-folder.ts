/** Copies a data folder with owners and modes, as fast as the file system can. */
import path from 'node:path';
import { removeWhole } from '../../../kernel/folders/remove-tree.ts';
import { Problem } from '../../../kernel/problem.ts';
import { runTool } from '../../run-step.ts';
import type { EmbeddedForm } from './embedded-form.ts';

/** `cp` keeps owners, clones blocks where the file system shares them, and takes a fifth of the time of `fs.cp`. */
export async function copyFolder(
  form: Pick<EmbeddedForm, 'context' | 'where' | 'launcher'>,
  from: string,
  to: string,
): Promise<void> {
  const { context, where } = form;
  const options = process.platform === 'linux' ? ['-a', '-T', '--reflink=auto'] : ['-Rp'];
  const { code, said } = await runTool(context, ['cp', ...options, from, to]);
  if (code === 0) return;
  await removeData(form, to);
  throw new Problem({
    code: said.some((line) => line.includes('No space left')) ? 'world.disk-full' : 'boot.resource-failed',
    where,
    what: `${from} could not be copied to ${to}`,
    allowed: 'about 40 MB of free space and a folder that can be written to',
    next: 'make room, then run the same command again',
    evidence: said,
  });
}

/** Data of this server: some of it belongs to the user that runs it. */
export function removeData(
  { context, launcher }: Pick<EmbeddedForm, 'context' | 'launcher'>,
  folder: string,
): Promise<void> {
  const isOwn = folder.startsWith(`${context.folder}${path.sep}`);
  const below = path.dirname(isOwn ? path.dirname(context.folder) : context.cacheFolder);
  return removeWhole(folder, { below, owners: [launcher.ownerUid] });
}
