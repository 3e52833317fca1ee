/** Where an accepted output is kept: in `shakedown/golden/` beside the config, which a team commits. */
import path from 'node:path';
import type { Golden } from '../../checks/trial-record.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { readPlainFile } from '../../kernel/folders/own-file.ts';
import { Problem } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';

export function goldenOf(systemFolder: string, trial: string, check: string): Golden {
  const file = path.join('shakedown', 'golden', ...trial.split('/'), `${check}.json`);
  try {
    const text = readPlainFile(path.join(systemFolder, file)).toString('utf8');
    return { file, accepted: parseExactJson(text) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return { file };
    throw new Problem({
      code: 'trial.unreadable',
      where: path.join(systemFolder, file),
      what: `the golden output of the check \`${check}\` cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      allowed: 'the JSON that `shakedown judge --accept` has written, or no file',
      next: 'restore it from git, or remove it, run the trial, and accept what it shows: shakedown judge latest --accept',
      cause: error,
    });
  }
}
