/** The only place where the environment is read: what the programs need to know before they start. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from './pipeline/ask-providers.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  readonly port: number;
  /** What setup wrote: the skills. */
  readonly dataFolder: string;
  /** What the daemon writes itself: events and gateways. */
  readonly stateFolder: string;
  readonly providers: readonly Provider[];
  readonly shellTimeoutMs: number;
  /** A frame that has begun must be whole after this. */
  readonly frameTimeoutMs: number;
  /** Empty, or one of the defects in defects.ts. */
  readonly defect: string;
}

export function readSettings(env: Environment): Settings {
  const dataFolder = readDataFolder(env);
  return {
    port: wholeNumber(env, 'PORT', 9105, 65535),
    dataFolder,
    stateFolder: env.DAEMON_STATE || join(dataFolder, 'state'),
    providers: readProviders(env.PROVIDERS ?? '', wholeNumber(env, 'PROVIDER_TIMEOUT_MS', 2_000, 60_000)),
    shellTimeoutMs: wholeNumber(env, 'SHELL_TIMEOUT_MS', 5_000, 60_000),
    frameTimeoutMs: wholeNumber(env, 'FRAME_TIMEOUT_MS', 5_000, 60_000),
    defect: env.DEFECT ?? '',
  };
}

export function readDataFolder(env: Environment): string {
  const xdg = env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share');
  return env.DAEMON_DATA || join(xdg, 'agent-daemon');
}

export function wholeNumber(env: Environment, name: string, otherwise: number, most: number): number {
  const value = Number(env[name] || otherwise);
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new Error(`${name} is ${env[name]}: it must be a whole number from 0 to ${most}`);
  }
  return value;
}

/** `name=url,name=url`, in the order in which they are asked. */
function readProviders(text: string, timeoutMs: number): Provider[] {
  const entries = text.split(',').filter((entry) => entry !== '');
  return entries.map((entry) => {
    const at = entry.indexOf('=');
    const url = entry.slice(at + 1);
    if (at < 1 || !URL.canParse(url)) throw new Error(`PROVIDERS holds ${entry}: it must be name=url`);
    return { name: entry.slice(0, at), url: url.replace(/\/+$/, ''), timeoutMs };
  });
}
