/** From `--config` or the current folder to a validated system. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { upLockFile } from '../environment/up-lock.ts';
import { createRedactor, secretValues } from '../journal/redaction.ts';
import { findConfig } from '../system/find-config.ts';
import type { System } from '../system/system.ts';
import { type Call, optionText } from './verb.ts';

export async function openSystem(call: Call): Promise<System> {
  const { loadSystem } = await import('../system/load-system.ts'); // verbs that only look for runs do without it
  return loadSystem({ file: await configFile(call) }, call.env, (names) =>
    call.terminal.hide(createRedactor(secretValues(names, call.env)).redact),
  );
}

/** The config file alone, for verbs that only need to know where the runs are. */
export async function configFile(call: Call): Promise<string> {
  const given = optionText(call, 'config');
  return given === undefined ? findConfig(call.cwd) : path.resolve(call.cwd, given);
}

/** The folder of the config file: runs lie beside it. Where something is up, its folder is known without a config. */
export async function systemFolder(call: Call): Promise<string> {
  if (optionText(call, 'config') === undefined && existsSync(upLockFile(call.cwd))) return call.cwd;
  return path.dirname(await configFile(call));
}
