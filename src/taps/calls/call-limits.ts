/** How much of a call is kept as evidence, and how long an answer on another connection is waited for. */
export const callLimits = {
  bodyBytes: 64 * 1024,
  /** Of JSON, and of the events of one stream. */
  jsonBytes: 256 * 1024,
  /** What a compressed body may expand to before it is cut. */
  unfoldedBytes: 4 * 1024 * 1024,
  /** A larger event is only looked at for the answer in it. */
  ofEvents: { events: 1_000, chars: 256 * 1024, eventChars: 1024 * 1024 },
  /** Of the text, the reasoning and the arguments of one turn. */
  turnChars: 1024 * 1024,
  /** Sessions whose version is remembered. */
  sessions: 1_000,
  /** Of a request that cannot be read. */
  junkBytes: 1024,
  /** Requests on one connection that wait for their responses. */
  pipelined: 1_000,
  /** Calls of one edge whose answers are to come on an event stream. */
  awaited: 1_000,
  answerWithinMs: 30_000,
} as const;
