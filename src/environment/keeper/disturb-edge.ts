/** Puts a rule on the taps of an edge. */
import { Problem } from '../../kernel/problem.ts';
import type { Disturbance } from '../../taps/disturbance.ts';
import type { EnvironmentContext } from '../environment-context.ts';

export async function disturbEdge(
  context: EnvironmentContext,
  from: string,
  to: string,
  rule: Disturbance,
): Promise<Record<never, never>> {
  const taps = context.book.taps.filter(({ tap }) => tap.from === from && tap.to === to);
  if (taps.length === 0) {
    throw new Problem({
      code: 'config.unknown-name',
      where: `edge ${from} -> ${to}`,
      what: 'there is no such edge',
      allowed: context.book.taps.map(({ tap }) => `${tap.from} -> ${tap.to}`).join(', '),
      next: 'see `shakedown status` for the edges of this environment',
    });
  }
  for (const { tap } of taps) {
    if (rule.rule === 'pass') context.disturbed.delete(tap);
    else context.disturbed.add(tap);
  }
  await Promise.all(taps.map(({ tap }) => tap.disturb(rule)));
  return {};
}
