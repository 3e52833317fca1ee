/** How much of the evidence of a run is embedded in its report; the run folder has all of it. */
export const reportLimits = {
  /** Of one body, as JSON: in trials that did not pass, and in the others. */
  failedBodyBytes: 256 * 1024,
  passedBodyBytes: 4 * 1024,
  /** What is left of a larger one. */
  beginningChars: 1_000,
  /** Of the JSON of trials that passed, before it is compressed. */
  chunkBytes: 256 * 1024,
  /** Of the JSON of one attempt; from there on its bodies are cut as in a trial that passed. */
  attemptBytes: 32 * 1024 ** 2,
  /** Compressed, of all: a report of 3,000 trials is to be no larger than 15 MB. Those that passed get at least the second. */
  allBytes: 13.8 * 1024 ** 2,
  passedBytes: 4 * 1024 ** 2,
  /** Where there would be more, bodies of trials that passed are cut down to this before any is left out. */
  leastBodyBytes: 512,
  /** Compressed, of trials that did not pass: from the first on bodies are cut, from the second on evidence is left out. */
  wholeBytes: 16 * 1024 ** 2,
  failedBytes: 48 * 1024 ** 2,
  attempts: 10,
  boots: 8,
  /** From the beginning of the journal of an environment. */
  bootBytes: 4 * 1024 ** 2,
  flakes: 200,
} as const;
