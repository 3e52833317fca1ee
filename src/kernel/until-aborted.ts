/** Waits for work until a signal is aborted. */

/** Rejects with the signal's reason as soon as it is aborted; the work itself goes on unobserved. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const giveUp = (): void => aborted.reject(signal.reason);
  return raced(signal, giveUp, aborted.promise, work);
}

/** Undefined when it is aborted first; the work itself goes on unobserved. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const giveUp = (): void => aborted.resolve(undefined);
  return raced<T | undefined>(signal, giveUp, aborted.promise, work);
}

async function raced<T>(
  signal: AbortSignal,
  giveUp: () => void,
  aborted: Promise<T>,
  work: Promise<T>,
): Promise<T> {
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
