/** Opens a connection, sends bytes, and reads until enough was received or the other side closes. */
import { connect } from 'node:net';

export interface Conversation {
  readonly signal: AbortSignal;
  readonly send?: Uint8Array;
  /** Without bytes to wait for, a connection is enough. */
  readonly waitsForBytes: boolean;
  /** Receives all bytes so far. */
  enough(bytes: Buffer): boolean;
}

export interface Heard {
  readonly connected: boolean;
  readonly enough: boolean;
  readonly error: string;
}

const mostBytes = 64 * 1024;

export function converse(
  address: { host: string; port: number },
  conversation: Conversation,
): Promise<Heard> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, signal: conversation.signal });
    let connected = false;
    let error = 'the connection was closed';
    let bytes = Buffer.alloc(0);
    const finish = (enough: boolean): void => {
      socket.destroy();
      resolve({ connected, enough, error });
    };
    socket.on('error', (reason) => {
      error = reason.message;
    });
    socket.on('close', () => finish(false));
    socket.on('connect', () => {
      connected = true;
      if (!conversation.waitsForBytes) finish(true);
      else if (conversation.send) socket.write(conversation.send);
    });
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (conversation.enough(bytes)) finish(true);
      else if (bytes.length > mostBytes) finish(false);
    });
  });
}
