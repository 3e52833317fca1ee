/** The only place where the environment is read: what a daemon needs to know before it starts. */
import { join } from 'node:path';

interface Settings {
  readonly port: number;
  readonly databaseUrl: string;
  readonly model: ModelSettings;
  /** Where spans are sent; nowhere when absent. */
  readonly traces: string | undefined;
}

export interface ModelSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly name: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function readSettings(env: Environment): Settings {
  return {
    port: readPort(env),
    databaseUrl: required(env, 'DATABASE_URL'),
    model: {
      baseUrl: withoutSlash(required(env, 'ANTHROPIC_BASE_URL')),
      apiKey: env.ANTHROPIC_API_KEY ?? 'none',
      name: 'claude-haiku-4-5',
    },
    traces: env.OTEL_EXPORTER_OTLP_ENDPOINT ? withoutSlash(env.OTEL_EXPORTER_OTLP_ENDPOINT) : undefined,
  };
}

export function readPort(env: Environment): number {
  const port = Number(required(env, 'PORT'));
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`PORT is ${env.PORT}: it must be a whole number from 0 to 65535`);
  }
  return port;
}

/** `BUTLERS` (name=url,name=url) has the address of each butler. */
export function readAddresses(env: Environment): Map<string, string> {
  const entries = required(env, 'BUTLERS').split(',');
  return new Map(
    entries
      .filter((entry) => entry.trim() !== '')
      .map((entry) => {
        const at = entry.indexOf('=');
        const url = entry.slice(at + 1).trim();
        if (at < 1 || !URL.canParse(url))
          throw new Error(`BUTLERS has "${entry}": write name=http://host:port`);
        return [entry.slice(0, at).trim(), withoutSlash(url)];
      }),
  );
}

/** Where a butler reaches itself: at its address in `BUTLERS`, or, without one, at its own port. */
export function readOwnAddress(env: Environment, name: string): string {
  const known = env.BUTLERS ? readAddresses(env).get(name) : undefined;
  return known ?? `http://127.0.0.1:${readPort(env)}`;
}

/** The folder whose sub-folders are the butlers. */
export const rosterFolder = join(import.meta.dirname, '..', '..', 'roster');

export function required(env: Environment, name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
