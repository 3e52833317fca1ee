/** The conversation history of each user; turns of one user run one after the other. */
import { hasDefect } from '../defects.ts';
import type { JsonObject } from '../wire/json.ts';

export interface Histories {
  /** `work` gets the history, and returns what to keep of this turn. */
  take<T>(user: string, work: (before: readonly JsonObject[]) => Promise<Kept<T>>): Promise<T>;
}

export interface Kept<T> {
  readonly value: T;
  /** Nothing of a failed turn is kept: the next one starts as if it had not happened. */
  readonly said: readonly JsonObject[];
}

const mostTurns = 10;
const mostUsers = 1_000;

export function createHistories(): Histories {
  const turns = new Map<string, readonly (readonly JsonObject[])[]>();
  const queues = new Map<string, Promise<unknown>>();

  const keep = (user: string, said: readonly JsonObject[]): void => {
    const before = turns.get(user) ?? [];
    turns.delete(user);
    turns.set(user, [...before, said].slice(-mostTurns));
    for (const longest of turns.keys()) {
      if (turns.size <= mostUsers) break;
      turns.delete(longest);
    }
  };

  return {
    async take(asker, work) {
      const user = hasDefect('sessions-mixed') ? 'everybody' : asker;
      const turn = async () => {
        const { value, said } = await work((turns.get(user) ?? []).flat());
        if (said.length > 0) keep(user, said);
        return value;
      };
      const result = (queues.get(user) ?? Promise.resolve()).then(turn, turn);
      queues.set(user, result);
      const forget = () => {
        if (queues.get(user) === result) queues.delete(user);
      };
      result.then(forget, forget);
      return result;
    },
  };
}
