/** Writes a text, bytes and a text as one: to the kernel they come in one call. */
import type { Socket } from 'node:net';

/** Larger bytes are handed over as they are instead of being copied. */
const mostCopiedBytes = 32 * 1024;

/** False where the other side is behind. */
export function writeTogether(socket: Socket, before: string, bytes: Uint8Array, after: string): boolean {
  if (bytes.length > mostCopiedBytes) return writeApart(socket, before, bytes, after);
  const beforeBytes = Buffer.byteLength(before);
  const whole = Buffer.allocUnsafe(beforeBytes + bytes.length + after.length);
  whole.write(before, 0);
  whole.set(bytes, beforeBytes);
  if (after !== '') whole.write(after, beforeBytes + bytes.length, 'latin1');
  return socket.write(whole);
}

function writeApart(socket: Socket, before: string, bytes: Uint8Array, after: string): boolean {
  socket.cork();
  if (before !== '') socket.write(before);
  const isReady = socket.write(bytes);
  const isStillReady = after === '' ? isReady : socket.write(after);
  socket.uncork();
  return isStillReady;
}
