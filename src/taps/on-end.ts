/** Distinguishes a FIN from a reset, where Node does not. */
import type { Socket } from 'node:net';

/**
 * Node 22 emits `end` for a reset that comes together with the last bytes. The kernel is exact: a reset socket has
 * no peer any more, and an empty write then fails, with EPIPE where a FIN had come before the reset. That failure is an
 * ordinary `error` of the socket; the callback is for a FIN only.
 */
export function onEnd(socket: Socket, callback: () => void): void {
  socket.on('end', () => {
    if (socket.remotePort !== undefined || !socket.writable) callback();
    else socket.write('', (error) => (error ? undefined : callback()));
  });
}
