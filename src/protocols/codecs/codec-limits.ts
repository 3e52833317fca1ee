/** How large and how deep a frame may be. */
export const codecLimits = {
  frameBytes: 16 * 1024 * 1024,
  headerBytes: 8 * 1024,
  /** Levels of lists and maps in one message. */
  depth: 256,
  /** Characters of a broken frame that an error shows. */
  shownChars: 60,
} as const;
