/** Limits at which a pattern or a match stops and says so. */
export const patternLimits = {
  /** Levels of nesting in a pattern. */
  patternDepth: 64,
  /** Maps, lists and scalars in a pattern, literals included. */
  patternNodes: 100_000,
  /** Comparisons in one match. */
  matchSteps: 1_000_000,
  /** Characters of a text on which a regular expression may run. */
  regexTextChars: 1024 * 1024,
  /** Time for one regular expression on one text. */
  regexMs: 1_000,
  /** Characters of a printed value or expectation. */
  printedChars: 200,
  /** Mismatches kept in a result. */
  mismatches: 100,
  /** Mismatches shown in an explanation. */
  explained: 10,
} as const;
