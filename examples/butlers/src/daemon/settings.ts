/** The only place where the environment is read: what a daemon needs to know before it starts. */
import { join } from 'node:path';

interface Settings {
  readonly port: number;
  readonly databaseUrl: string;
  readonly model: ModelSettings;
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
      baseUrl: required(env, 'ANTHROPIC_BASE_URL').replace(/\/+$/, ''),
      apiKey: env.ANTHROPIC_API_KEY ?? 'none',
      name: 'claude-haiku-4-5',
    },
  };
}

export function readPort(env: Environment): number {
  const port = Number(required(env, 'PORT'));
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`PORT is ${env.PORT}: it must be a whole number from 0 to 65535`);
  }
  return port;
}

/** The folder whose sub-folders are the butlers. */
export const rosterFolder = join(import.meta.dirname, '..', '..', 'roster');

export function required(env: Environment, name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}
