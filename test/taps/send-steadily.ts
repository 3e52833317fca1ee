/** Sends bytes of a known pattern, each piece when the kernel has taken the one before, so that a stall can be seen. */
import type { Socket } from 'node:net';

const pieceBytes = 64 * 1024;

export interface Sending {
  /** What the kernel has taken so far. */
  readonly takenBytes: number;
}

export function sendSteadily(
  socket: Socket,
  totalBytes: number,
  piece = Buffer.alloc(pieceBytes, 'piece'),
): Sending {
  let takenBytes = 0;
  const send = (): void => {
    const bytes = Math.min(piece.length, totalBytes - takenBytes);
    if (bytes === 0 || socket.destroyed) return;
    socket.write(piece.subarray(0, bytes), () => {
      takenBytes += bytes;
      send();
    });
  };
  send();
  return {
    get takenBytes() {
      return takenBytes;
    },
  };
}
