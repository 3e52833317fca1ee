/** The limits of flows: their code is not ours, and may do anything. */
export const flowLimits = {
  /** Processes that import flow files to list them, at once. */
  readers: 4,
  /** To end by itself; then it is killed. */
  endMs: 2_000,
  /** To drain its last output and messages, after it has ended. */
  drainMs: 300,
  /** CPU seconds of importing a file; also ends the process when its parent is gone. */
  importCpuSeconds: 30,
  flowsPerFile: 1_000,
  /** Checks of one attempt. */
  checks: 10_000,
  /** How much of its output is kept. */
  logBytes: 1024 * 1024,
  /** One value passed as evidence or as a body, in characters. */
  valueChars: 8 * 1024 * 1024,
  valueDepth: 60,
  failureChars: 4_000,
} as const;
