/** Faults of an engine that pass by themselves: asked once more, a few times. */
import type { Clock } from '../../../kernel/clock.ts';
import { EngineRefusal } from './engine-http.ts';
import { engineLimits } from './engine-limits.ts';

const transient = [
  /resource temporarily unavailable/i,
  /xtables lock/i,
  /(?:device or resource|is) busy/i,
  /has active endpoints/i,
  /removal of container .* is already in progress/i,
  // Two environments remove images with the same layers.
  /unrecognized image id/i,
  /context deadline exceeded/i,
  /failed to create shim|ttrpc: closed/i,
  /unable to find sandbox|failed to set up sandbox/i,
  /error while removing network/i,
  /database is locked/i,
];

export function isTransient(error: unknown): boolean {
  return (
    error instanceof EngineRefusal && error.status >= 400 && transient.some((fault) => fault.test(error.said))
  );
}

export async function retried<T>(
  clock: Clock,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  let pauseMs = engineLimits.retryFirstMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= engineLimits.retries || !isTransient(error)) throw error;
      await clock.sleep(pauseMs, signal);
      pauseMs *= 2;
    }
  }
}

/** Undefined where there is no such thing. */
export function absent(error: unknown): undefined {
  if (!(error instanceof EngineRefusal && error.status === 404)) throw error;
}

/** False where there is no such thing. */
export async function wasThere(answer: Promise<unknown>): Promise<boolean> {
  return answer.then(
    () => true,
    (error: unknown) => absent(error) ?? false,
  );
}
