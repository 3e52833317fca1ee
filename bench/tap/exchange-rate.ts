/** Requests of fixed bytes on one socket, one at a time or with some on their way at a time; the client spends no time parsing. */
import type { Socket } from 'node:net';

export interface WireExchange {
  readonly request: Buffer;
  /** Always the same. */
  readonly answerBytes: number;
}

/** Resolves when it is answered. */
export function exchangeOnce(socket: Socket, { request, answerBytes }: WireExchange): Promise<void> {
  return new Promise((resolve) => {
    let gotBytes = 0;
    const take = (chunk: Buffer): void => {
      gotBytes += chunk.length;
      if (gotBytes < answerBytes) return;
      socket.off('data', take);
      resolve();
    };
    socket.on('data', take);
    socket.write(request);
  });
}

/** How many a second are answered, with always as many as `window` on their way. */
export async function pipelinedRate(
  socket: Socket,
  { request, answerBytes }: WireExchange,
  window: number,
  forMs: number,
): Promise<number> {
  const startedAt = performance.now();
  let sent = 0;
  let gotBytes = 0;
  const send = (): void => {
    sent += 1;
    socket.write(request);
  };
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer): void => {
      gotBytes += chunk.length;
      const answered = Math.floor(gotBytes / answerBytes);
      if (performance.now() - startedAt < forMs) while (sent - answered < window) send();
      else if (gotBytes >= sent * answerBytes) {
        socket.off('data', take);
        resolve();
      }
    };
    socket.on('data', take);
    while (sent < window) send();
  });
  return (sent * 1_000) / (performance.now() - startedAt);
}
