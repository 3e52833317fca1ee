/** What carries messages to a server and back. */
import type { Clock } from '../../kernel/clock.ts';
import type { Incoming, JsonRpcId, Outgoing } from '../../protocols/json-rpc/message.ts';
import type { ActError } from '../driver.ts';
import { mcpLimits } from './mcp-limits.ts';
import type { TransportKind } from './mcp-step.ts';

export interface Transport {
  readonly kind: TransportKind;
  /** Makes ready to send: a stream is opened, a program started. */
  open(posting: Posting): Promise<ActError | undefined>;
  /** Hands over one message. What comes back goes to the inbox. Never rejects. */
  send(message: Outgoing, posting: Posting): Promise<Delivery>;
  /** Opens the stream on which the server may speak unasked, where the transport knows such. */
  listen?(posting: Posting): Promise<void>;
  /** The version that was agreed upon. */
  agree(version: string): void;
  /** What could explain a failure: the end of standard error. */
  lastWords?(): string;
  close(): Promise<void>;
}

/** What became of a message that was handed over. */
export type Delivery =
  /** An answer, if one is due, comes later. */
  | { readonly state: 'delivered' }
  /** No answer will come any more; one that came before still counts. */
  | { readonly state: 'failed'; readonly error: ActError };

/** One message in transit. */
export interface Posting {
  /** It was abandoned. */
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  sent(bytes: number): void;
  status(code: number): void;
}

export interface Inbox {
  /** `about` is the request on whose own answer the messages came. */
  receive(messages: readonly Incoming[], about?: JsonRpcId): void;
  /** Something that a server must not do, but that does not end the exchange. */
  note(anomaly: string, about?: JsonRpcId): void;
  isAnswered(id: JsonRpcId): boolean;
  /** Nothing more will come for waiting acts. */
  broke(error: ActError): void;
}

export function failed(error: ActError): Delivery {
  return { state: 'failed', error };
}

/** What is sent alongside an act does not count as its own, and is not waited for long. */
export async function aside<Sent>(clock: Clock, send: (posting: Posting) => Promise<Sent>): Promise<Sent> {
  const patience = new AbortController();
  const enough = clock.after(mcpLimits.farewellMs, () => patience.abort());
  const sent = await send({ signal: patience.signal, sent: () => undefined, status: () => undefined });
  enough();
  return sent;
}
