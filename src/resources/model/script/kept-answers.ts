/** What a provider remembers of the answers of an attempt, and holds later requests against. */
import type { ProviderError } from '../../../protocols/turn/dialect.ts';
import type { Turn } from '../../../protocols/turn/turn.ts';
import type { ModelCall } from '../model-call.ts';

export interface KeptAnswers {
  /** What speaks against going on from where the request says. */
  objectionTo(call: ModelCall): ProviderError | undefined;
  /** `isPlain`: it goes out as it is, in no other shape. */
  keep(call: ModelCall, id: string, turn: Turn, isPlain: boolean): void;
}

/** Under `up` an attempt has no end; the oldest go first. */
export function keptMap<Value>(most: number): Pick<Map<string, Value>, 'get' | 'set'> {
  const kept = new Map<string, Value>();
  return {
    get: (key) => kept.get(key),
    set: (key, value) => {
      const [oldest = key] = kept.keys();
      if (kept.size >= most) kept.delete(oldest);
      return kept.set(key, value);
    },
  };
}
