/** Reads files of aimock fixtures. */

import { readFile, stat } from 'node:fs/promises';
import { parseExactJson } from '../../../kernel/exact-json.ts';
import { Problem } from '../../../kernel/problem.ts';
import { formatSize } from '../../../kernel/size.ts';
import { errorCode } from '../../../kernel/system-error.ts';
import type { ScriptLine } from '../script-line.ts';
import { loadAimockFixtures } from './load-aimock-fixtures.ts';

const mostBytes = 32 * 1024 * 1024;

export async function readAimockFiles(files: readonly string[]): Promise<readonly ScriptLine[]> {
  const lines: ScriptLine[] = [];
  for (const file of files) lines.push(...loadAimockFixtures(await readJson(file), file));
  return lines;
}

async function readJson(file: string): Promise<unknown> {
  try {
    const { size } = await stat(file);
    if (size > mostBytes) throw unreadable(file, `it has ${formatSize(size)}`);
    return parseExactJson(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof Problem) throw error;
    const why = errorCode(error) === 'ENOENT' ? 'there is no such file' : (error as Error).message;
    throw unreadable(file, why);
  }
}

function unreadable(file: string, what: string): Problem {
  return new Problem({
    code: 'config.unreadable',
    where: file,
    what,
    allowed: `a JSON file of aimock fixtures of at most ${formatSize(mostBytes)}`,
    next: 'correct `fixtures` of the model in the config',
  });
}
