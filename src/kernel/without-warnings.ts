/** Calls what Node warns of because it may change, which users cannot act on. The call is synchronous, so no other warning is lost. */
export function withoutWarnings<T>(call: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return call();
  } finally {
    process.emitWarning = emitWarning;
  }
}
