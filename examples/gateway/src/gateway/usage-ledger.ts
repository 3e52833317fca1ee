/** Counts the usage that providers report, for each agent. */
import { hasDefect } from '../defects.ts';
import type { JsonObject } from '../wire/json.ts';

export interface Account {
  readonly requests: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Answers without any usage: never counted as free. */
  readonly unmetered: number;
}

export interface UsageLedger {
  add(agent: string, usage: JsonObject | undefined): void;
  of(agent: string): Account;
}

const nothing: Account = { requests: 0, prompt_tokens: 0, completion_tokens: 0, unmetered: 0 };

export function createUsageLedger(): UsageLedger {
  const accounts = new Map<string, Account>();
  const of = (agent: string): Account => accounts.get(agent) ?? nothing;
  return {
    of,
    add(agent, told) {
      const usage = hasDefect('usage-lost') ? undefined : told;
      const { requests, prompt_tokens, completion_tokens, unmetered } = of(agent);
      accounts.set(agent, {
        requests: requests + 1,
        prompt_tokens: prompt_tokens + count(usage?.prompt_tokens),
        completion_tokens: completion_tokens + count(usage?.completion_tokens),
        unmetered: usage ? unmetered : unmetered + 1,
      });
    },
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
