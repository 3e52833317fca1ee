/** From `--config` or the current folder to a validated system. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { upLockFile } from '../../environment/up-lock.ts';
import { createRedactor, secretValues } from '../../journal/redaction.ts';
import { findConfig } from '../../system/find-config.ts';
import type { System } from '../../system/system.ts';
import type { Host } from './host.ts';

export async function openSystem(host: Host): Promise<System> {
  const { loadSystem } = await import('../../system/load-system.ts'); // not needed by verbs that only look for runs
  return loadSystem({ file: await configFile(host) }, host.env, (names) =>
    host.hide(createRedactor(secretValues(names, host.env)).redact),
  );
}

/** Only the path of the config file, for verbs that need just the location of the runs. */
export async function configFile(host: Host): Promise<string> {
  return host.config === undefined ? findConfig(host.cwd) : path.resolve(host.cwd, host.config);
}

/** The folder of the config file, where runs are stored. While an environment is up here, no config is needed. */
export async function systemFolder(host: Host): Promise<string> {
  if (host.config === undefined && existsSync(upLockFile(host.cwd))) return host.cwd;
  return path.dirname(await configFile(host));
}
