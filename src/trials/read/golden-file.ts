/** Where an accepted output is kept: in `shakedown/golden/` beside the config, which a team commits. */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Golden } from '../../checks/trial-record.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';

export function goldenOf(systemFolder: string, trial: string, check: string): Golden {
  const file = path.join('shakedown', 'golden', ...trial.split('/'), `${check}.json`);
  const whole = path.join(systemFolder, file);
  if (!existsSync(whole)) return { file };
  return { file, accepted: parseExactJson(readFileSync(whole, 'utf8')) as unknown };
}
