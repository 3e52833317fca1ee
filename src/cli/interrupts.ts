/** Ctrl-C and its sisters, as something that can be waited for. */
import { type ExitCode, exitCodes } from '../kernel/exit-codes.ts';

export interface Interrupts {
  /** Resolves at the first signal. */
  readonly first: Promise<NodeJS.Signals>;
  received(): NodeJS.Signals | undefined;
  /** Called for every signal after the first. */
  onAgain(callback: () => void): void;
  stopListening(): void;
}

const listened = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function listenForInterrupts(): Interrupts {
  const first = Promise.withResolvers<NodeJS.Signals>();
  let received: NodeJS.Signals | undefined;
  const again: Array<() => void> = [];
  const note = (signal: NodeJS.Signals): void => {
    if (received) for (const callback of again) callback();
    received ??= signal;
    first.resolve(signal);
  };
  for (const signal of listened) process.on(signal, note);
  return {
    first: first.promise,
    received: () => received,
    onAgain: (callback) => void again.push(callback),
    stopListening: () => {
      for (const signal of listened) process.off(signal, note);
    },
  };
}

export function interruptExitCode(signal: NodeJS.Signals): ExitCode {
  return signal === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted;
}
