/** How much of everything a story shows, so that it stays short. */
export const storyLimits = {
  columns: 100,
  fewestColumns: 40,
  steps: 30,
  calls: 12,
  /** Exchanges that prove who is to blame. */
  provenBy: 4,
  disturbances: 6,
  /** Trials whose cost is shown, most expensive first. */
  costs: 10,
  logServices: 3,
  logLines: 8,
  errorLines: 10,
  /** Places where expected and observed differ, for one check. */
  mismatches: 3,
  /** Lines about the difference between expected and observed, for one check. */
  differenceLines: 40,
  failedChecks: 10,
  faults: 10,
  /** Neighbours of a value on each side of it. */
  neighbours: 3,
  /** Entries of the value itself. */
  entries: 8,
  reasons: 40,
  skips: 200,
} as const;

/** The same for a story that fits on a screen. */
export const briefLimits = {
  /** Lines about what broke. */
  broke: 12,
  checks: 3,
  deaths: 2,
  /** Lines of a text that are gone, and that are new. */
  changed: 3,
  logLines: 2,
  faults: 2,
} as const;
