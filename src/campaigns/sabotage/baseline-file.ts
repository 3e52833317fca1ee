/** `shakedown/sabotage-baseline.yaml` beside the config: read, and written whole. */
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { writeShared } from '../../journal/write-redacted.ts';
import { removeFile } from '../../kernel/folders/entries-below.ts';
import { Problem } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { readText } from '../../system/source/read-text.ts';
import { type Baseline, emptyBaseline, parseBaseline, printBaseline } from './baseline.ts';

export function baselineFile(systemFolder: string): string {
  return path.join(systemFolder, 'shakedown', 'sabotage-baseline.yaml');
}

/** An absent file accepts nothing. */
export async function readBaseline(systemFolder: string): Promise<Baseline> {
  const file = baselineFile(systemFolder);
  if (!existsSync(file)) return emptyBaseline(file);
  const kind = { noun: 'baseline', absent: 'config.not-found', unreadable: 'config.unreadable' } as const;
  return parseBaseline(file, await readText(file, kind));
}

/** Never half: whoever reads it finds the old one or the new one. */
export async function writeBaseline(baseline: Baseline): Promise<void> {
  const { file } = baseline;
  const draft = `${file}.${process.pid}.part`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    writeShared(draft, printBaseline(baseline));
    await rename(draft, file);
  } catch (error) {
    removeFile(draft);
    throw new Problem({
      code: 'world.not-writable',
      where: file,
      what: `the baseline cannot be written: ${errorCode(error) ?? String(error)}`,
      allowed: 'a folder `shakedown` beside the config in which you may write',
      next: `look at its permissions: ls -ld ${path.dirname(file)}`,
      cause: error,
    });
  }
}
