/** `tcp` in a flow. */
import { whyNotKept } from '../../kernel/not-kept.ts';
import type { ActOptions, Duration, Evidence, FlowSteps, Pattern } from '../kind/flow-method.ts';

export interface TcpFlow {
  /** Opens a connection. */
  readonly tcp: (target: string, options?: TcpOptions) => Promise<Connection>;
}

export interface TcpOptions extends ActOptions {
  /** `hex6-sexp`, `newline-json`, `content-length-json`, or a module such as `./my-codec.ts`. */
  readonly codec?: string;
}

export interface ReceiveOptions extends ActOptions {
  /** Wait for so many messages; without a codec, bytes. */
  readonly receive?: number;
}

export interface Connection {
  /** A message of the codec; without one, a text. The result holds what arrives from now on. */
  send(message: unknown, options?: ReceiveOptions): Promise<ConnectionEvidence>;
  /** Bytes, past the codec: `{ text }`, `{ hex }`, `{ file }`, `{ repeat, bytes }`, with `pause` and `then`; or a list. */
  sendRaw(bytes: unknown, options?: ReceiveOptions): Promise<ConnectionEvidence>;
  /** Waits until all that was received since it was opened, `{ received, closedBy, … }`, matches. */
  until(pattern: Pattern, options?: { readonly within?: Duration }): Promise<ConnectionEvidence>;
  close(how?: 'full' | 'half' | 'reset', options?: ActOptions): Promise<ConnectionEvidence>;
  /** Every message so far, as of the last answer. Throws where bytes came and there is no codec. */
  readonly received: readonly unknown[];
}

export interface ConnectionEvidence extends Evidence {
  readonly connected: boolean;
  /** Where bytes came and there is no codec, it is not a list: they are in `raw`. */
  readonly received: readonly unknown[];
  readonly raw?: string;
  readonly closedBy?: 'peer' | 'us' | 'reset';
  readonly broken?: string;
  /** Of a message that had not come to its end. */
  readonly pendingBytes?: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

export function tcpFlow({ open }: FlowSteps): TcpFlow {
  return {
    tcp: (target, options = {}) =>
      open<ConnectionEvidence, Connection>({ tcp: target }, options, (line) => ({
        send: (message, given = {}) => line.say({ send: message, ...receiveOf(given) }, given),
        sendRaw: (bytes, given = {}) => line.say({ sendRaw: bytes, ...receiveOf(given) }, given),
        until: line.until,
        close: (how = 'full', given) => line.say({ end: how }, given),
        get received() {
          return messagesIn(line.soFar().received);
        },
      })),
  };
}

function receiveOf({ receive }: ReceiveOptions): Pick<ReceiveOptions, 'receive'> {
  return receive === undefined ? {} : { receive };
}

function messagesIn(received: readonly unknown[]): readonly unknown[] {
  const because = whyNotKept(received);
  if (because !== undefined) throw new TypeError(because);
  return received;
}
