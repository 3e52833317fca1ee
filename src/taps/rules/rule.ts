/** The one interface of all disturbances: which connections a rule takes, and what it does to their bytes. */
import type { DisturbanceKind } from '../../journal/event.ts';

/** `sent` is from consumer to provider, `received` is back. */
export type Direction = 'sent' | 'received';

export interface Rule {
  readonly kind: DisturbanceKind;
  /** False closes the port, so that the kernel itself refuses new connections. */
  readonly listens: boolean;
  /** False: new connections are reset at once and counted; the provider does not see them. */
  readonly admits?: false;
  /** The gate for one direction of one connection; undefined leaves that direction alone. */
  gate(lane: RuledLane): Gate | undefined;
}

export interface RuledLane {
  readonly direction: Direction;
  readonly connection: number;
  /** The rule has taken effect; described by this text. */
  readonly felt?: (what: string) => void;
}

/** Decides over what passes in one direction of one connection. */
export interface Gate {
  /**
   * Called whenever something arrived, was forwarded, or became due. The front is what waits first: bytes, or an end of
   * length 0; undefined when nothing waits. `now` and `arrivedAt` are on the same monotonic clock.
   */
  decide(front: Waiting | undefined, now: number): Decision;
  /** What is forwarded instead of these bytes. The bytes themselves where absent. */
  alter?(bytes: Buffer): Buffer;
}

export interface Waiting {
  readonly arrivedAt: number;
  readonly length: number;
}

export type CutBy = 'fin' | 'reset';

export type Decision =
  /** This many bytes of the front may be forwarded; an end is forwarded whatever the number. */
  | { readonly then: 'pass'; readonly bytes: number }
  /** Ask again at that time, or only when something else changes. */
  | { readonly then: 'wait'; readonly until?: number }
  /** End the whole connection; `afterDelivery`: not before the other side's kernel has what was forwarded so far. */
  | { readonly then: 'cut'; readonly by: CutBy; readonly afterDelivery: boolean };
