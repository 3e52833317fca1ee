/** One end of a connection in a test: what it received, and how the connection ended. */
import type { Socket } from 'node:net';
import { onEnd } from '../../src/taps/link.ts';

export interface Peer {
  readonly socket: Socket;
  /** How many bytes it has received so far, and all of them. */
  readonly gotBytes: number;
  readonly got: Buffer;
  /** Undefined while the other side goes on; an error code where it broke off. */
  readonly heard: 'fin' | string | undefined;
  /** Resolves when the other side has closed or reset the connection. */
  readonly over: Promise<string>;
  /** Resolves when the socket is gone. */
  readonly gone: Promise<void>;
}

export function watchPeer(socket: Socket): Peer {
  const chunks: Buffer[] = [];
  let gotBytes = 0;
  let heard: string | undefined;
  const over = new Promise<string>((resolve) => {
    const hear = (what: string): void => {
      heard ??= what;
      resolve(heard);
    };
    onEnd(socket, () => hear('fin'));
    socket.on('error', (error: NodeJS.ErrnoException) => hear(error.code ?? error.message));
    socket.on('close', () => hear('gone'));
  });
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('data', (chunk: Buffer) => {
    gotBytes += chunk.length;
    chunks.push(chunk);
  });
  socket.resume();
  return {
    socket,
    over,
    gone,
    get gotBytes() {
      return gotBytes;
    },
    get got() {
      return Buffer.concat(chunks);
    },
    get heard() {
      return heard;
    },
  };
}
