/** Rule 1, died: a process that ended by itself; of several the first, because the others may be consequences. */
import type { Blame } from './blame.ts';
import type { Traffic } from './traffic.ts';

export function blameDeath({ view }: Traffic): Blame | undefined {
  const [first] = view.deaths;
  if (!first) return undefined;
  const { kind, name, code, signal, seq } = first;
  const how = signal === null ? `with ${code}` : `by ${signal}`;
  return { party: name, rule: 1, because: `${kind} ${name} ended by itself, ${how}`, evidence: [seq] };
}
