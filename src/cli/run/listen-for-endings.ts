/** How somebody at the keyboard ends a run: by one signal, by a second one, or by the answer to a question. */
import type { Interrupts } from '../interrupts.ts';

export interface Endings {
  /** Aborted by the first interruption: what is under way is given up. */
  readonly signal: AbortSignal;
  /** Aborted by the second: there is no time for goodbyes. */
  readonly hurry: AbortSignal;
  interruptedBy(): NodeJS.Signals | undefined;
  /** While this lasts, Ctrl-C is an answer, and interrupts nothing. */
  whileAsking(ask: () => Promise<void>): Promise<void>;
  /** The run is over; nothing of it can be ended any more. */
  stopListening(): void;
}

export function listenForEndings(interrupts: Interrupts, say: (text: string) => void): Endings {
  const abort = new AbortController();
  const hurry = new AbortController();
  let asking = false;
  let answered = false;
  let over = false;
  void interrupts.first.then((signal) => {
    if (over) return;
    answered = asking && signal === 'SIGINT';
    if (answered) return;
    say('ending what is under way … (again: no time for goodbyes)');
    abort.abort(signal);
  });
  interrupts.onAgain(() => hurry.abort());
  return {
    signal: abort.signal,
    hurry: hurry.signal,
    interruptedBy: () => (answered ? undefined : interrupts.received()),
    whileAsking: async (ask) => {
      asking = true;
      await ask();
      asking = false;
    },
    stopListening: () => {
      over = true;
    },
  };
}
