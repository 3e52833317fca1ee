/** How much a scripted third party accepts, remembers and sends. */

export const peerLimits = {
  lines: 1_000,
  /** Callbacks of one line, and how often each is sent. */
  callbacks: 100,
  callbackTimes: 100,
  /** In transit or waiting, of all requests together. */
  pendingCallbacks: 10_000,
  /** From the first byte of a callback to the last one of its answer. */
  callbackWithinMs: 10_000,
  callbackAnswerBytes: 1024 * 1024,
  /** Lines that are listed in the refusal of another request. */
  namedLines: 20,
  printedChars: 300,
  /** Of a recording: all bodies together, and how many calls. */
  tapeBytes: 64 * 1024 * 1024,
  tapeCalls: 10_000,
  /** Silence of the real one that ends a call. */
  upstreamIdleMs: 60_000,
} as const;
