/** How long and how much of a server's misbehaviour is tolerated. */
export const mcpLimits = {
  pages: 100,
  notifications: 200,
  serverRequests: 50,
  /** How often one request is sent again with answers to what the server asked in return. */
  rounds: 20,
  anomalies: 20,
  /** Characters of one anomaly, or of a page that came instead of an answer. */
  shownChars: 300,
  stderrChars: 4 * 1024,
  redirects: 3,
  /** How often a stream that broke off is resumed, and the pause before, unless the server names one. */
  resumptions: 20,
  resumeAfterMs: 1_000,
  /** A server may need a moment to open the stream on which it speaks unasked; one that never does is not waited for. */
  listenWithinMs: 1_000,
  /** After the answer, the server may close its stream itself. */
  lingerMs: 500,
  farewellMs: 1_000,
  /** After its input has ended, a program may go by itself; after SIGTERM it has this long once more. */
  exitWithinMs: 500,
} as const;
