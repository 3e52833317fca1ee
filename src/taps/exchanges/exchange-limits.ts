/** How much of an exchange a rule may hold back, and how long it waits for a provider that is asked a second time. */
export const exchangeLimits = {
  /** One event of a stream; one that is larger passes uncounted, and so does what follows it. */
  eventBytes: 1024 * 1024,
  /** A response that is read as a whole before it is sent in another form; a larger one passes untouched. */
  responseBytes: 8 * 1024 * 1024,
  /** A request that is kept to be read, or to be sent again; of a larger one only the beginning is read, and it is not sent again. */
  requestBytes: 1024 * 1024,
  /** Events that wait for the one to swap with. */
  keptEvents: 10_000,
  /** Requests on one connection that wait for their responses. */
  pipelined: 1_000,
  secondAnswerWithinMs: 10_000,
} as const;
