/** SIGINT, SIGTERM and SIGHUP: as a promise, and as the end of work that is under way. */
import { type ExitCode, interruptExitCode, worstExitCode } from '../../kernel/exit-codes.ts';

export interface Interrupts {
  /** Resolves at the first signal. */
  readonly first: Promise<NodeJS.Signals>;
  received(): NodeJS.Signals | undefined;
  /** Called for every signal after the first. */
  onAgain(callback: () => void): void;
}

const listened = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** While this works, a signal does not end the process. */
export async function withInterrupts<Result>(
  work: (interrupts: Interrupts) => Promise<Result>,
): Promise<Result> {
  const first = Promise.withResolvers<NodeJS.Signals>();
  let received: NodeJS.Signals | undefined;
  const again: Array<() => void> = [];
  const note = (signal: NodeJS.Signals): void => {
    if (received) for (const callback of again) callback();
    received ??= signal;
    first.resolve(signal);
  };
  for (const signal of listened) process.on(signal, note);
  try {
    return await work({
      first: first.promise,
      received: () => received,
      onAgain: (callback) => void again.push(callback),
    });
  } finally {
    for (const signal of listened) process.off(signal, note);
  }
}

/** Of something that was judged: an interruption outweighs all else, because the rest is missing. */
export function sessionExitCode(
  interruptedBy: NodeJS.Signals | undefined,
  codes: readonly ExitCode[],
): ExitCode {
  return interruptedBy === undefined ? worstExitCode(codes) : interruptExitCode(interruptedBy);
}

/** How the user ends work that is under way: by a signal, by a second one, or by the answer to a prompt. */
export interface Endings {
  /** Aborted by the first interrupt: running trials are abandoned. */
  readonly signal: AbortSignal;
  /** Aborted by the second: no graceful shutdown. */
  readonly forceStop: AbortSignal;
  interruptedBy(): NodeJS.Signals | undefined;
  /** During this prompt, Ctrl-C is an answer and interrupts nothing. */
  whileAsking(ask: () => Promise<void>): Promise<void>;
  /** The work is over; signals no longer affect it. */
  stopListening(): void;
}

export function listenForEndings(interrupts: Interrupts, say?: (text: string) => void): Endings {
  const abort = new AbortController();
  const forceStop = new AbortController();
  let asking = false;
  let answered = false;
  let over = false;
  void interrupts.first.then((signal) => {
    if (over) return;
    answered = asking && signal === 'SIGINT';
    if (answered) return;
    say?.('ending running trials … (again: force stop)');
    abort.abort(signal);
  });
  interrupts.onAgain(() => forceStop.abort());
  return {
    signal: abort.signal,
    forceStop: forceStop.signal,
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
