/** What the engine is asked to make: written down before, and again with its answer. Such a request is never cut off. */
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { untilAborted } from '../../kernel/until-aborted.ts';
import type { EngineIntent, Ledger } from '../containment/ledger.ts';
import { EngineRefusal } from './engine/engine-http.ts';

export type EngineThing = EngineIntent['what'];

export interface Makings {
  /** When aborted, nobody here waits for the answer any more; `answered` does. */
  make<T>(what: EngineThing, name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** For what the engine says that it makes. */
  note(what: EngineThing, name: string): void;
  /** A build is making a layer on this one, which has no name. */
  onto(image: string, layer: string): void;
  /** Resolves when nothing is made any more, or the time is over. */
  answered(withinMs: number): Promise<void>;
}

export function openMakings(socket: string, ledger: Ledger, clock: Clock): Makings {
  const open = new Set<Promise<unknown>>();
  return {
    make: async (what, name, work, signal) => {
      signal?.throwIfAborted();
      const intent = { entry: 'at-engine', socket, what, name } as const;
      const answer = (async () => {
        ledger.write(intent);
        try {
          const made = await work();
          ledger.write({ ...intent, isAnswered: true });
          return made;
        } catch (error) {
          if (error instanceof EngineRefusal) ledger.write({ ...intent, isAnswered: true });
          throw error;
        }
      })();
      open.add(answer);
      const done = (): void => void open.delete(answer);
      answer.then(done, done);
      return signal ? untilAborted(signal, answer) : answer;
    },
    note: (what, name) => ledger.write({ entry: 'at-engine', socket, what, name, isAnswered: true }),
    onto: (name, layer) =>
      ledger.write({
        ...{ entry: 'at-engine', socket, what: 'image', name },
        onto: { layer, since: clock.now() },
      }),
    answered: async (withinMs) => void (await within(clock, withinMs, Promise.allSettled(open))),
  };
}
