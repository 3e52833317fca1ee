/** Answers requests that no line of a third party's script matches. */
import type { PeerCalled } from '../../journal/peer-event.ts';
import type { AttemptEnded, PeerPart } from '../resource.ts';
import type { WireReply, WireRequest } from '../wire/wire-server.ts';

export interface FallbackResponder {
  /** Never throws for anything that a consumer or the real one does. */
  answer(asked: AskedPeer): Promise<PeerOutcome>;
  /** How many recorded answers must be used and were not, so far. */
  unused?(): number;
  settle(ended: AttemptEnded): Promise<void>;
}

export interface AskedPeer {
  readonly caller: string;
  readonly wire: WireRequest;
  readonly reply: WireReply;
  /** Aborted when the attempt is over. */
  readonly patience: AbortSignal;
}

export type PeerOutcome = Pick<PeerCalled, 'status' | 'line' | 'by' | 'fault'>;

export interface FallbackResponders {
  /** For what is asked before the first attempt; undefined where the script is all there is. */
  between(): FallbackResponder | undefined;
  /** For one attempt. Rejects with a problem when it cannot be played. */
  play(part: PeerPart): Promise<FallbackResponder | undefined>;
  close(): void;
}
