/** What a scripted peer accepts from one consumer before it refuses. */
export const wireLimits = {
  /** A larger body is not kept: the request is delivered without it, marked `tooLarge`. */
  bodyBytes: 32 * 1024 * 1024,
  /** From the first byte of a request to its last. */
  requestWithinMs: 60_000,
  /** Connections at a time; further ones are closed at once. */
  connections: 10_000,
  /** How many requests may wait behind one that is being answered before nothing more is read. */
  waitingRequests: 16,
  /** How long a consumer may go on sending after our side has ended. */
  lingerMs: 2_000,
};

export type WireLimits = Readonly<typeof wireLimits>;
