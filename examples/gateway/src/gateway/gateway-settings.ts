/** The settings of the gateway: providers, models, and which agent may use which. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { address, type Environment, pairs, required, wholeNumber } from '../service/settings.ts';

export interface GatewaySettings {
  readonly providers: Readonly<Record<string, Provider>>;
  /** By their keys. */
  readonly agents: ReadonlyMap<string, Agent>;
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  /** `provider:model`. */
  readonly models: readonly string[];
  readonly limits: Limits;
}

export interface Provider {
  readonly url: string;
  readonly key: string;
}

export interface Agent {
  readonly name: string;
  /** A name of a model or an alias; with `*` at its end, the beginning of one. */
  readonly allow: readonly string[];
  /** The size of the burst, and the refill per minute. */
  readonly burst: number;
  readonly perMinute: number;
}

export interface Limits {
  /** Until the head of an answer. */
  readonly headMs: number;
  /** Between two chunks of it. */
  readonly idleMs: number;
  /** A provider that asks for a longer wait is skipped. */
  readonly retryAfterCapMs: number;
}

type Table = Pick<GatewaySettings, 'aliases' | 'models'> & {
  readonly agents: Readonly<Record<string, Omit<Agent, 'name'>>>;
};

export function readGatewaySettings(env: Environment): GatewaySettings {
  const file = env.GATEWAY_TABLE || join(import.meta.dirname, '..', '..', 'gateway.json');
  const table = JSON.parse(readFileSync(file, 'utf8')) as Table;
  return {
    providers: {
      alpha: { url: chatUrl(address(env, 'ALPHA_URL')), key: required(env, 'ALPHA_KEY') },
      beta: { url: chatUrl(address(env, 'BETA_URL')), key: required(env, 'BETA_KEY') },
    },
    agents: withKeys(table.agents, pairs(env, 'AGENT_KEYS')),
    aliases: table.aliases,
    models: table.models,
    limits: {
      headMs: wholeNumber(env, 'HEAD_TIMEOUT_MS', 60_000),
      idleMs: wholeNumber(env, 'IDLE_TIMEOUT_MS', 30_000),
      retryAfterCapMs: wholeNumber(env, 'RETRY_AFTER_CAP_MS', 10_000),
    },
  };
}

/** Some addresses include the version, some do not. */
function chatUrl(base: string): string {
  return /\/v\d+$/.test(base) ? `${base}/chat/completions` : `${base}/v1/chat/completions`;
}

function withKeys(agents: Table['agents'], keys: ReadonlyMap<string, string>): ReadonlyMap<string, Agent> {
  return new Map(
    [...keys].map(([name, key]): [string, Agent] => {
      const agent = agents[name];
      if (!agent) throw new Error(`AGENT_KEYS has a key for ${name}, who is not in the table of agents`);
      return [key, { name, ...agent }];
    }),
  );
}
