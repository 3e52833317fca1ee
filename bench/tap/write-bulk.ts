/** Writes the bulk to a socket as fast as it takes it. */
import type { Socket } from 'node:net';
import { bulkBytes, bulkChunk } from './wire.ts';

export function writeBulk(socket: Socket): void {
  let leftBytes = bulkBytes;
  const write = (): void => {
    while (leftBytes > 0) {
      leftBytes -= bulkChunk.length;
      if (!socket.write(bulkChunk)) return;
    }
  };
  socket.on('drain', write);
  write();
}
