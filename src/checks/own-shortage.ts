/** Connections that Shakedown itself could not carry: consequences of that say nothing about the system. */
import { edgeOf } from '../kernel/edge-name.ts';
import type { AttemptView } from './attempt-view.ts';

/** One sentence, with what to do; undefined if there was room for all. */
export function ownShortage({ refusals }: Pick<AttemptView, 'refusals'>): string | undefined {
  const short = refusals.filter(({ because }) => because === 'too-many');
  const [first] = short;
  if (!first) return undefined;
  const count = short.length === 1 ? 'a connection' : `${short.length} connections`;
  return `Shakedown itself refused ${count} on ${edgeOf(first)}: ${first.what ?? 'there were too many'}`;
}
