/** The exit codes that scripts may rely on, and which one wins when several apply. */
export const exitCodes = {
  held: 0,
  failed: 1,
  usage: 2,
  notBooted: 3,
  parity: 4,
  budget: 5,
  dishonest: 6,
  leftBehind: 7,
  bug: 70,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const precedence: readonly ExitCode[] = [70, 2, 3, 1, 4, 6, 7, 5];

/** The exit code when several outcomes apply; without any, everything passed. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  return (
    precedence.find((code) => codes.includes(code)) ?? codes.find((code) => code !== 0) ?? exitCodes.held
  );
}

export function interruptExitCode(signal: string): ExitCode {
  return signal === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted;
}
