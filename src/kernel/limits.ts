/** Limits of a whole run. What only one part waits for or keeps has its limit there: a `*-limits.ts`, or a constant. */
export const limits = {
  bootWithinMs: 120_000,
  readyWithinMs: 30_000,
  jobWithinMs: 120_000,
  readinessProbeMs: 5_000,
  stopWithinMs: 5_000,
  teardownWithinMs: 20_000,
  keeperStartMs: 15_000,
  keeperAnswerMs: 5_000,
  /** For the client before to leave. */
  keeperLeaveMs: 1_000,
  wholeTeardownMs: 120_000,
  killedSweepMs: 4_000,
  /**
   * A running keeper touches its ledger every `ledgerTouchMs`; after `ledgerSilentMs` without a touch it is gone, on
   * any machine.
   */
  ledgerTouchMs: 30_000,
  ledgerSilentMs: 120_000,
  /** A workspace gets its ledger immediately; one without a ledger after this time was abandoned. */
  workspaceBegunMs: 10_000,
  portAttempts: 200,
  portRetries: 3,
  /** Of a container that may be started again while it is not ready. */
  containerRestarts: 100,
  /** On disk, per service log and per environment journal. */
  logBytes: 256 * 1024 * 1024,
  /** Reading takes time even where nothing was written: a larger hole in a file is not read through. */
  holeBytes: 1024 ** 3,
  journalBytes: 256 * 1024 * 1024,
  logTailLines: 20,
  logTailBytes: 64 * 1024,
  shownLineBytes: 1024 * 1024,
  configBytes: 1024 * 1024,
  configImportMs: 20_000,
  rosterMembers: 500,
  keptRuns: 50,
  /** Of a file that Shakedown wrote: a ledger, a plan, a lock. */
  ownFileBytes: 256 * 1024 * 1024,
  removedEntries: 5_000_000,
  namedRemains: 20,
  tapBufferedBytes: 1024 * 1024,
  tapConnections: 10_000,
  /** Of a request to a keeper and of its answer: an event holds bodies as JSON, which may be six times as long. */
  requestBytes: 8 * 1024 * 1024,
  requestDepth: 500,
  keeperMessageBytes: 64 * 1024 * 1024,
  unheardInMemoryBytes: 1024 * 1024,
  unheardBytes: 2 * 1024 * 1024 * 1024,
  /** Checks, one second apart, without a sign of life after which a keeper counts as stopped. */
  silentLooks: 10,
  /** The same for the guard, once the process that launched the keeper is gone. */
  missedBeats: 10,
  inlineBodyBytes: 4 * 1024,
  keptBodyBytes: 1024 * 1024,
  settleMs: 250,
  quietWithinMs: 10_000,
  /** From quiet on, for the next line of a script that must be used. */
  unusedLineMs: 3_000,
  stepWithinMs: 10_000,
  stepResultMs: 3_000,
  afterDeathMs: 1_000,
  trialWithinMs: 60_000,
  burst: 1_000,
  trials: 20_000,
  attempts: 1_000,
  keptCalls: 20_000,
  packedBytes: 640 * 1024 * 1024,
} as const;
