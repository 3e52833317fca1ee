/** Ends a socket in one of the two ways of TCP: in order (FIN), or at once (RST). */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import { errorCode } from '../kernel/system-error.ts';
import type { CutBy } from './rules/rule.ts';

const firstLookMs = 1;
const mostLookMs = 50;

/** In order: what was written arrives first. What the other side still sends is refused, as after a crash. */
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

/** Whether what was written has reached a peer that is still there. Resolves when that is known. */
export async function arrived(socket: Socket, clock: Clock): Promise<boolean> {
  await written(socket);
  await delivered(socket, clock);
  if (!socket.destroyed && !socket.writableEnded) await written(socket);
  return !socket.destroyed && !socket.errored;
}

/** Whether the kernel took what was written so far, whatever becomes of what follows. */
export function taken(socket: Socket): Promise<boolean> {
  if (socket.destroyed || socket.writableEnded) return Promise.resolve(errorCode(socket.errored) !== 'EPIPE');
  return new Promise((resolve) => void socket.write('', (error) => resolve(!error)));
}

/** At once: what was written and did not arrive is lost. */
export function resetSocket(socket: Socket): void {
  if (socket.destroyed) return;
  if (isShuttingDown(socket)) void resetAfterShutdown(socket);
  else if (!socket.connecting) socket.resetAndDestroy();
  else if (socket.localPort === undefined) socket.destroy();
  else void resetWhenConnected(socket);
}

/** The kernel has the FIN and has not confirmed it: a reset now is refused, and the socket would never close. */
function isShuttingDown(socket: Socket): boolean {
  return socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
}

/** The kernel answers in the next turn of the event loop; whatever it says, the socket is gone soon after. */
async function resetAfterShutdown(socket: Socket): Promise<void> {
  await turn();
  await turn();
  if (isShuttingDown(socket)) socket.destroy();
  else resetSocket(socket);
}

/** A connection that the kernel has made is reported in the next turn of the event loop; any other is given up. */
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

/** Only Linux reports this; elsewhere what the kernel has accepted counts as delivered. */
async function isDelivered(socket: Socket): Promise<boolean> {
  const { localPort, remotePort } = socket;
  if (localPort === undefined || remotePort === undefined) return true;
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((table) => readFile(table, 'utf8').catch(() => '')),
  );
  return tables.every((table) => !hasUnacknowledged(table, `:${hex(localPort)}`, `:${hex(remotePort)}`));
}

/** Lines such as `0: 0100007F:1F90 0100007F:C350 01 0000000A:00000000 …`; the number before the last colon is what waits. */
function hasUnacknowledged(table: string, local: string, remote: string): boolean {
  return table.split('\n').some((line) => {
    const [, localAddress = '', remoteAddress = '', , queues = ''] = line.trim().split(/\s+/);
    return localAddress.endsWith(local) && remoteAddress.endsWith(remote) && !queues.startsWith('00000000');
  });
}

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
