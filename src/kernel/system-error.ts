/** Reading the errors that the operating system gives. */

/** `ENOENT`, `EADDRINUSE` …, or undefined when the error did not come from the operating system. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** We, or the machine, ran out of something: nobody at the other end of a connection causes that. */
export function isExhaustion(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'].includes(errorCode(error) ?? '');
}

/** Gives undefined for the named operating-system errors and throws every other one. */
export function absentOn(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (codes.includes(errorCode(error) ?? '')) return undefined;
    throw error;
  };
}
