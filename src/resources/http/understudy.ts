/** Who answers what no line of a third party's script is for. */
import type { PeerCalled } from '../../journal/peer-event.ts';
import type { HttpPeerSpec } from '../../system/system.ts';
import type { AttemptEnded, PeerPart, ResourceContext } from '../resource.ts';
import type { WireReply, WireRequest } from '../wire/wire-server.ts';

export interface Understudy {
  /** Never throws for anything that a consumer or the real one does. */
  answer(asked: AskedPeer): Promise<PeerOutcome>;
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

export interface Understudies {
  /** For what is asked before the first attempt; undefined where the script is all there is. */
  between(): Understudy | undefined;
  /** For one attempt. Rejects with a problem when it cannot be played. */
  play(part: PeerPart): Promise<Understudy | undefined>;
  close(): void;
}

export type UnderstudyContext = Pick<
  ResourceContext,
  'clock' | 'emit' | 'hostEnv' | 'secrets' | 'systemFolder' | 'tool'
>;

/** By the mode of the third party. Rejects with a problem where the config does not say enough. */
export async function castUnderstudies(
  spec: HttpPeerSpec,
  context: UnderstudyContext,
): Promise<Understudies> {
  // Node's client takes as long to load as many a service to start; whoever is played by a script does without.
  if (spec.mode === 'record')
    return (await import('./upstream/cast-upstream.ts')).castUpstream(spec, context);
  if (spec.mode === 'cassette')
    return (await import('./cassette/cast-cassette.ts')).castCassette(spec, context);
  return { between: () => undefined, play: async () => undefined, close: () => undefined };
}
