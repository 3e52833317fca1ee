/** Limits for observing a foreign test command. */
export const observeLimits = {
  /** Default timeout of the whole command. */
  commandMs: 600_000,
  /** How much of its output is kept; the rest is shown and not kept. */
  outputBytes: 32 * 1024 * 1024,
  junitBytes: 64 * 1024 * 1024,
  junitFiles: 2_000,
  tests: 50_000,
  suiteDepth: 100,
  nameChars: 500,
  messageChars: 2_000,
  failureChars: 8_000,
  /** Moments in which something crossed an edge, to attribute them to tests. */
  moments: 50_000,
  /** How often edges without decoded calls are polled. */
  lookEveryMs: 25,
  errorLines: 100,
} as const;
