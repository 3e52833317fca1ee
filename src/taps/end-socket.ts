/** Ends a socket in one of the two ways that TCP knows: in order, or at once. */
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import { isDelivered } from './is-delivered.ts';
import type { CutBy } from './rules/rule.ts';

const firstLookMs = 1;
const mostLookMs = 50;

/** In order: what was written arrives first. What the other side still sends meets a dead end, as after a crash. */
export async function endSocket(socket: Socket, by: CutBy, clock: Clock): Promise<void> {
  const isUnused = socket.connecting && socket.writableLength === 0;
  if (by === 'fin') socket.end();
  if (!isUnused) {
    await written(socket);
    await delivered(socket, clock);
  }
  if (by === 'fin') socket.destroy();
  else resetSocket(socket);
}

/** Whether what was written has reached the other side, and somebody is there. Resolves when that is known. */
export async function arrived(socket: Socket, clock: Clock): Promise<boolean> {
  await written(socket);
  await delivered(socket, clock);
  if (!socket.destroyed && !socket.writableEnded) await written(socket);
  return !socket.destroyed && !socket.errored;
}

/** At once: what was written and did not arrive is lost. */
export function resetSocket(socket: Socket): void {
  if (socket.destroyed) return;
  if (isSayingGoodbye(socket)) void resetAfterGoodbye(socket);
  else if (!socket.connecting) socket.resetAndDestroy();
  else if (socket.localPort === undefined) socket.destroy();
  else void resetWhenConnected(socket);
}

/** The goodbye is with the kernel, which has not answered: a reset is refused in this moment, and the socket would never close. */
function isSayingGoodbye(socket: Socket): boolean {
  return socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
}

/** The kernel answers in the next turn of the event loop; whatever it says, the socket is gone soon after. */
async function resetAfterGoodbye(socket: Socket): Promise<void> {
  await turn();
  await turn();
  if (isSayingGoodbye(socket)) socket.destroy();
  else resetSocket(socket);
}

/** A call that the kernel has put through is heard of in the next turn of the event loop; any other is given up. */
async function resetWhenConnected(socket: Socket): Promise<void> {
  socket.resetAndDestroy();
  await turn();
  await turn();
  if (socket.connecting) socket.destroy();
}

/** Resolves when the kernel has taken everything, or when the socket is gone. */
async function written(socket: Socket): Promise<void> {
  if (socket.destroyed || socket.writableFinished) return;
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      socket.off('close', settle).off('finish', settle);
      resolve();
    };
    socket.once('close', settle);
    if (socket.writableEnded) socket.once('finish', settle);
    else socket.write('', settle);
  });
}

/** Resolves when the other side's kernel has everything, or when the socket is gone. */
async function delivered(socket: Socket, clock: Clock): Promise<void> {
  for (let pauseMs = firstLookMs; !socket.destroyed; pauseMs = Math.min(pauseMs * 2, mostLookMs)) {
    if (await isDelivered(socket)) return;
    await clock.sleep(pauseMs);
  }
}
