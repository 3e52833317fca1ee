/** Connections that we could not carry ourselves: whatever follows from that says nothing about the system. */
import type { AttemptView } from './attempt-view.ts';
import { edgeOf } from './seen-call.ts';

/** One sentence, with what to do; undefined when there was room for all. */
export function ownShortage({ refusals }: Pick<AttemptView, 'refusals'>): string | undefined {
  const short = refusals.filter(({ because }) => because === 'too-many');
  const [first] = short;
  if (!first) return undefined;
  const count = short.length === 1 ? 'a connection' : `${short.length} connections`;
  return `Shakedown itself refused ${count} on ${edgeOf(first)}: ${first.what ?? 'there were too many'}`;
}
