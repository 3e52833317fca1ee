/** The limits of flows: their code is a stranger's, and may do anything. */
export const flowLimits = {
  /** Processes that import flow files to list them, at once. */
  readers: 4,
  /** For politeness at the end; then it is killed. */
  endMs: 2_000,
  /** For what it printed and said last, after it has ended. */
  drainMs: 300,
  /** What a file uses of the processor while it is imported, in seconds, even when nobody is there any more to end it. */
  importCpuSeconds: 30,
  flowsPerFile: 1_000,
  /** Checks of one attempt. */
  checks: 10_000,
  /** What it prints is kept up to here. */
  logBytes: 1024 * 1024,
  /** One value that it hands over as evidence or as a body, in characters. */
  valueChars: 8 * 1024 * 1024,
  valueDepth: 60,
  failureChars: 4_000,
} as const;
