/** Limits of observing somebody else's test command. */
export const observeLimits = {
  /** Of the whole command, where nobody says otherwise. */
  commandMs: 600_000,
  mostCommandMs: 86_400_000,
  /** What is kept of its output; the rest is shown and not kept. */
  outputBytes: 32 * 1024 * 1024,
  junitBytes: 64 * 1024 * 1024,
  junitFiles: 2_000,
  tests: 50_000,
  suiteDepth: 100,
  nameChars: 500,
  messageChars: 2_000,
  failureChars: 8_000,
  /** Moments in which something crossed an edge, for telling whose they were. */
  moments: 50_000,
  /** How often edges are looked at on which no single call can be seen. */
  lookEveryMs: 25,
  errorLines: 100,
} as const;
