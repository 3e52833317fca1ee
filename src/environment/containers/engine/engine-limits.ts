/** How long the container engine may take, and how much of what it says is kept. */

export const engineLimits = {
  /** For an answer to begin; the engine may be busy with other work. */
  answerMs: 60_000,
  /** Of the first question: an engine that is there answers at once. */
  pingMs: 15_000,
  /** An image may come from far away, or be built. */
  imageMs: 15 * 60_000,
  /** Of a JSON answer. */
  answerBytes: 16 * 1024 * 1024,
  /** Of what a build or a pull printed, for an error. */
  keptLines: 40,
  retries: 5,
  retryFirstMs: 50,
  /** Other subnets to try, when one is taken. */
  subnets: 64,
  /** Containers that are created and started at a time. */
  startsAtOnce: 4,
  /** Whether it has ended is asked again this long, when the engine does not answer. */
  lostEngineMs: 10_000,
  removalMs: 10_000,
  /** A request that was sent when its sender was killed has taken effect by then. */
  lateMs: 2_000,
  /** For what it was asked to make before the environment began to go down; what has not come by then is named. */
  lateAnswerMs: 10_000,
  healthEveryMs: 200,
  contextEntries: 200_000,
  contextBytes: 2 * 1024 ** 3,
} as const;
