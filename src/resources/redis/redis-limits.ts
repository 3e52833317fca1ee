/** How long the resource waits for a server, and how much it keeps of one. */
export const redisLimits = {
  answerMs: 5_000,
  /** For a server that is starting, and will be asked again. */
  greetMs: 1_000,
  /** One answer, such as one key of a copy. */
  answerBytes: 256 * 1024 * 1024,
  /** The copy of a database on a server of the user. */
  copyBytes: 64 * 1024 * 1024,
  /** Keys that are sent at once. */
  keysAtOnce: 500,
  /** Where the server does not say how many databases it has. */
  databases: 16,
  /** How often the mark of a database is looked after. */
  markEveryMs: 1_000,
} as const;
