/** How much of a plugin's misbehaviour is tolerated, and for how long. */
export const pluginLimits = {
  kinds: 50,
  describeMs: 10_000,
  /** After the deadline of a step, for the plugin to say so itself. */
  graceMs: 1_000,
  lookMs: 5_000,
  /** After `close`, after the end of its input, and after SIGTERM. */
  endMs: 500,
  messageBytes: 8 * 1024 * 1024,
  /** Lines that answer no request. */
  strayLines: 100,
  stderrChars: 4 * 1024,
  /** Of its last words, in a message. */
  shownChars: 300,
} as const;
