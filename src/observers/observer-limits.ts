/** How much an observer takes in before it stops and says so. */
export const observerLimits = {
  /** Elements in one answer: rows, keys and what they hold, files, events, calls, changes, lines of a log. */
  elements: 10_000,
  /** Rows in one answer, as JSON. */
  rowsBytes: 32 * 1024 * 1024,
  statementMs: 5_000,
  /** A database in a file is copied to be looked at. */
  databaseFileBytes: 256 * 1024 * 1024,
  /** What a store of keys answers to one look. */
  storeBytes: 32 * 1024 * 1024,
  /** Tables and views that are known of one database. */
  tables: 5_000,
  /** Values for which it is remembered how their types compare them. */
  comparisons: 1_000,
  /** How deep files may be nested. */
  folderDepth: 64,
  /** A file up to this size is read as a structure; a larger one is only hashed, and one beyond the second is not read. */
  parsedBytes: 8 * 1024 * 1024,
  hashedBytes: 2 * 1024 ** 3,
  /** All structures of one answer together. */
  parsedTotalBytes: 64 * 1024 * 1024,
  /** An image as it is unpacked, and how many of its colours are distinguished. */
  imageBytes: 64 * 1024 * 1024,
  colours: 256,
  /** The size of the lines of a log in one answer, where one of them is cut, and how far an expression is looked for in it. */
  logBytes: 16 * 1024 * 1024,
  logLineBytes: 8 * 1024,
  logMatchBytes: 64 * 1024,
  /** Lines on which an expression may run out of time before it is no longer tried. */
  slowLines: 3,
  /** The size of events in one answer, and of a single one. */
  eventsBytes: 32 * 1024 * 1024,
  eventBytes: 1024 * 1024,
  chunkBytes: 1024 * 1024,
  /** Descendants of a service that are named, and so much of what each was called with. */
  children: 1_000,
  argvBytes: 64 * 1024,
  /** A table beyond this is compared by number and hash of its rows. */
  baselineRows: 20_000,
  baselineTableBytes: 8 * 1024 * 1024,
  baselineBytes: 64 * 1024 * 1024,
  /** A file up to this size is known by its content as well as by its dates. */
  baselineFileBytes: 64 * 1024,
  databasesAtOnce: 4,
  /** Time for one `where` over all that was seen. */
  whereMs: 10_000,
} as const;
