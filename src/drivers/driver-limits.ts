/** How much a driver takes in, writes down or waits for. */
export const driverLimits = {
  /** Of one response; more is `too-large`. */
  headerBytes: 64 * 1024,
  /** An idle connection is given up before most servers do, so that no request meets one that is just being closed. */
  keepAliveMs: 1_000,
  /** A connection whose peer did not promise to keep it is used again only after one stayed open so long. */
  probationMs: 50,
  redirects: 20,
  /** Of one event stream. */
  events: 10_000,
  /** Of one act on a connection. */
  messages: 10_000,
  messageBytes: 8 * 1024 * 1024,
  /** Pieces of one `sendRaw`, and the bytes of all of them. */
  rawPieces: 10_000,
  rawBytes: 1024 * 1024 * 1024,
  /** Bytes that are written in one go. */
  writeBytes: 64 * 1024,
  /** Of a connection that is closed: what waits to be sent may still go. */
  closeMs: 500,
  /** What one program may print; a program that prints forever would fill the disk. */
  outputBytes: 4 * 1024 * 1024 * 1024,
  outputLookMs: 200,
  /** Between asking a program to end and ending it. */
  stopMs: 500,
  /** For `started` and what it resolves to. */
  registerMs: 5_000,
  /** Characters of a peer's bytes that a message shows. */
  shownChars: 80,
} as const;
