/** How much of one answer is kept: a peer that says more than this is cut short, and it is noted. */
export const foldLimits = {
  /** Of visible text, of reasoning and of a refusal, each. */
  textChars: 8 * 1024 * 1024,
  /** Of all calls together. */
  argumentsChars: 8 * 1024 * 1024,
  /** Of a name or an id. */
  nameChars: 1024,
  calls: 1024,
  choices: 128,
  events: 4 * 1024 * 1024,
  bodyBytes: 32 * 1024 * 1024,
  faults: 32,
} as const;
