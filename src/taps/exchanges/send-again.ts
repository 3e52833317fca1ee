/** Sends a request to the provider a second time, on a connection of its own, and waits for the answer. */
import { connect } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { createResponseReader } from '../../protocols/http/http-reader.ts';
import type { Target } from '../tap.ts';
import { exchangeLimits } from './exchange-limits.ts';

export interface SecondSending {
  readonly target: Target | undefined;
  readonly method: string;
  readonly bytes: readonly Buffer[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** True when the whole answer has come. What it says is for nobody. */
export function sendAgain({ target, method, bytes, clock, signal }: SecondSending): Promise<boolean> {
  if (target === undefined || signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ ...target, noDelay: true });
    const settle = (isAnswered: boolean): void => {
      cancel();
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(isAnswered);
    };
    const giveUp = (): void => settle(false);
    const cancel = clock.after(exchangeLimits.secondAnswerWithinMs, giveUp);
    signal.addEventListener('abort', giveUp, { once: true });
    let hasHead = false;
    const reader = createResponseReader({
      onHead: () => {
        hasHead = true;
        return method === 'HEAD' ? 'no-body' : undefined;
      },
      onBody: () => undefined,
      onEnd: () => settle(hasHead),
    });
    socket.on('data', (chunk) => reader.push(chunk) !== 'reading' && giveUp());
    socket.on('end', () => reader.end());
    socket.on('error', giveUp);
    socket.on('close', giveUp);
    for (const piece of bytes) socket.write(piece);
  });
}
