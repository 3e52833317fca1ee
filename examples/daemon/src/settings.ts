/** The only place where the environment is read: what the programs need to know before they start. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { MessengerSettings } from './messenger/messenger.ts';
import type { Provider } from './providers/provider.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  readonly port: number;
  readonly hooksPort: number;
  /** Where the messenger reaches the hooks. */
  readonly hooksUrl: string;
  /** What setup wrote: the skills. */
  readonly dataFolder: string;
  /** What the daemon writes itself: events and gateways. */
  readonly stateFolder: string;
  /** In the order in which they are asked. */
  readonly providers: readonly Provider[];
  /** Undefined where no gateway can lead to it. */
  readonly messenger: MessengerSettings | undefined;
  readonly shellTimeoutMs: number;
  /** A frame that has begun must be whole after this. */
  readonly frameTimeoutMs: number;
  /** Empty, or one of the defects in defects.ts. */
  readonly defect: string;
}

export function readSettings(env: Environment): Settings {
  const dataFolder = readDataFolder(env);
  const hooksPort = wholeNumber(env, 'HOOKS_PORT', 9106, 65535);
  return {
    port: wholeNumber(env, 'PORT', 9105, 65535),
    hooksPort,
    hooksUrl: address(env, 'HOOKS_URL') ?? `http://127.0.0.1:${hooksPort}`,
    dataFolder,
    stateFolder: env.DAEMON_STATE || join(dataFolder, 'state'),
    providers: (env.PROVIDERS ?? '')
      .split(',')
      .filter((name) => name !== '')
      .map((name) => readProvider(env, name)),
    messenger: readMessenger(env),
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

/** `provider-a` in PROVIDERS has PROVIDER_A_URL, PROVIDER_A_KEY and so on. */
function readProvider(env: Environment, name: string): Provider {
  const prefix = name.toUpperCase().replaceAll('-', '_');
  const url = address(env, `${prefix}_URL`);
  if (url === undefined) throw new Error(`PROVIDERS holds ${name}, and ${prefix}_URL is not set`);
  return {
    name,
    url,
    key: env[`${prefix}_KEY`] ?? '',
    model: env[`${prefix}_MODEL`] || 'small',
    streamed: env[`${prefix}_STREAM`] === 'true',
    timeoutMs: wholeNumber(env, `${prefix}_TIMEOUT_MS`, 2_000, 60_000),
  };
}

function readMessenger(env: Environment): MessengerSettings | undefined {
  const url = address(env, 'MESSENGER_URL');
  if (url === undefined) return undefined;
  const timeoutMs = wholeNumber(env, 'MESSENGER_TIMEOUT_MS', 2_000, 60_000);
  return { url, token: env.MESSENGER_TOKEN ?? '', timeoutMs };
}

function address(env: Environment, name: string): string | undefined {
  const url = env[name];
  if (!url) return undefined;
  if (!URL.canParse(url)) throw new Error(`${name} is ${url}: it must be an address`);
  return url.replace(/\/+$/, '');
}
