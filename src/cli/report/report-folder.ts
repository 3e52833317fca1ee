/** Where a report goes that belongs to no single run: `--out`, or `.shakedown/report`, which the next one takes over. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { systemFolder } from '../../campaigns/session/open-system.ts';
import { checkStateFolder, stateFolder } from '../../environment/run-folder.ts';
import { makeFolderBelow } from '../../kernel/folders/entries-below.ts';
import { type Call, optionText } from '../call/verb.ts';

export async function makeReportFolder(call: Call): Promise<string> {
  const out = optionText(call, 'out');
  if (out !== undefined) {
    const folder = path.resolve(call.cwd, out);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
  const system = await systemFolder(call);
  checkStateFolder(system);
  const folder = path.join(stateFolder(system), 'report');
  makeFolderBelow(system, folder, 0o700);
  return folder;
}
