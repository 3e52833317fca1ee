/** A consumer that writes any bytes to a port, and can close one direction alone. */
import { connect } from 'node:net';
import { eventually } from '../taps/eventually.ts';
import { type Peer, watchPeer } from '../taps/peer.ts';

export interface RawConsumer extends Peer {
  send(bytes: string | Uint8Array): RawConsumer;
  /** Everything that it got, as text. */
  readonly text: string;
  /** Resolves with the text when this is in it so often. */
  sees(what: string, times?: number): Promise<string>;
}

export function knockAt(port: number): RawConsumer {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
  const peer = watchPeer(socket);
  const consumer: RawConsumer = Object.create(peer, {
    send: {
      value: (bytes: string | Uint8Array) => {
        socket.write(bytes);
        return consumer;
      },
    },
    text: { get: () => peer.got.toString() },
    sees: {
      value: async (what: string, times = 1) => {
        const isThere = (): boolean => consumer.text.split(what).length > times;
        await eventually(
          () => isThere() || peer.heard !== undefined,
          `${JSON.stringify(what)} in ${consumer.text}`,
        );
        if (!isThere()) throw new Error(`the peer said ${peer.heard} after: ${consumer.text}`);
        return consumer.text;
      },
    },
  });
  return consumer;
}
