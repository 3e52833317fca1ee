/** Inspects errors of the operating system. */

/** `ENOENT`, `EADDRINUSE` …, or undefined when the error did not come from the operating system. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** This process or the machine ran out of a resource: never caused by the other end of a connection. */
export function isExhaustion(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'].includes(errorCode(error) ?? '');
}

/** Returns undefined for the given operating-system errors and rethrows every other one. */
export function absentOn(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (codes.includes(errorCode(error) ?? '')) return undefined;
    throw error;
  };
}
