/** What a peer that we play takes from one consumer before it says no. */

export interface WireLimits {
  /** A larger body is not kept: the request is delivered without it, marked `tooLarge`. */
  readonly bodyBytes: number;
  /** From the first byte of a request to its last. */
  readonly requestWithinMs: number;
  /** Connections at a time; further ones are closed at once. */
  readonly connections: number;
  /** How many requests may wait behind one that is being answered before nothing more is read. */
  readonly waitingRequests: number;
  /** How long a consumer may go on sending after we have said goodbye. */
  readonly lingerMs: number;
}

export const wireLimits: WireLimits = {
  bodyBytes: 32 * 1024 * 1024,
  requestWithinMs: 60_000,
  connections: 10_000,
  waitingRequests: 16,
  lingerMs: 2_000,
};
