/** Steps that act on a service itself rather than through one of its boundaries. */
import { within } from '../../kernel/deadline.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { Attempt } from './attempt.ts';

export type ServiceVerb = 'restart' | 'stop' | 'start' | 'kill';

export function isServiceVerb(kind: string): kind is ServiceVerb {
  return kind === 'restart' || kind === 'stop' || kind === 'start' || kind === 'kill';
}

export async function actOnService(
  attempt: Attempt,
  verb: ServiceVerb,
  name: string,
  timeoutMs: number,
): Promise<Readonly<Record<string, unknown>>> {
  const { ask, clock } = attempt.environment;
  const done = await within(clock, timeoutMs, ask('service', { name, do: verb }));
  if (done !== undefined) return { service: name, did: verb, ...(done.killed ? { killed: true } : {}) };
  const message = `${verb} of ${name} had not ended after ${formatDuration(timeoutMs)}`;
  return { service: name, error: { kind: 'timeout', message } };
}
