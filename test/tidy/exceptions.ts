/** Where a rule does not hold, and why. An exception that is no longer needed fails the test. */

export interface TidyException {
  readonly file: string;
  /** The name of the rule. */
  readonly rule: string;
  readonly because: string;
}

export const exceptions: readonly TidyException[] = [
  { file: 'src/kernel/clock.ts', rule: 'Date.now', because: 'it is the clock' },
  { file: 'src/kernel/clock.ts', rule: 'setTimeout', because: 'it is the clock' },
  { file: 'src/kernel/clock.ts', rule: 'timers', because: 'it is the clock' },
  {
    file: 'src/kernel/unique-id.ts',
    rule: 'Math.random',
    because: 'ids that no two runs share cannot come from a seed',
  },
  ...['observe-run', 'sabotage-foreign-run'].map((name) => ({
    file: `src/cli/foreign/${name}.ts`,
    rule: 'process.stdout',
    because: 'what somebody’s own command prints is handed on as it is',
  })),
  {
    file: 'src/protocols/turn/generate-turn.ts',
    rule: 'dead file',
    because: 'turns are drawn by tests and benches now, and by attacks on boundaries later',
  },
  {
    file: 'src/protocols/turn/same-turn.ts',
    rule: 'dead file',
    because: 'turns are compared by tests and benches now, and by attacks on boundaries later',
  },
];
