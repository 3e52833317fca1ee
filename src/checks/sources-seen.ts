/** In which sources an attempt saw something: that makes it the twin of a check that saw nothing. */
import { edgeOf, partyIn } from '../kernel/edge-name.ts';
import type { AttemptView } from './attempt-view.ts';

export function sourcesSeen(view: AttemptView): readonly string[] {
  const seen = view.checks.flatMap((check) => {
    const samples = view.probes.get(check.id)?.samples ?? [];
    const some = samples.some((sample) => sample.type === 'probe.sampled' && isSomething(sample.value));
    return some ? [check.source] : [];
  });
  // An order is observed in the journal itself, whichever checks the trial has.
  const crossed = view.calls.flatMap(({ edge, call: { from, to } }) => [
    orderSource(edge),
    orderSource(edgeOf({ from, to: partyIn(to) })),
  ]);
  return [...new Set([...seen, ...crossed])];
}

/** The source of an `order` that says `never` of an edge. */
export function orderSource(edge: string): string {
  return `order ${edge}`;
}

export function isOrderSource(source: string): boolean {
  return source.startsWith('order ');
}

function isSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== null && value !== undefined;
}
