/** Puts a rule on the taps of an edge. */
import { Problem } from '../../kernel/problem.ts';
import type { Disturbance } from '../../taps/disturbance.ts';
import type { ExchangeRule } from '../../taps/exchanges/exchange-rule.ts';
import type { Tap } from '../../taps/tap.ts';
import type { EnvironmentContext } from '../environment-context.ts';
import { isStdioEdge, placeStdioRules } from './stdio-shapes.ts';

export async function disturbEdge(
  context: EnvironmentContext,
  from: string,
  to: string,
  rule: Disturbance,
): Promise<Record<never, never>> {
  const taps = tapsOf(context, from, to);
  for (const tap of taps) {
    if (rule.rule === 'pass') context.disturbed.delete(tap);
    else context.disturbed.add(tap);
  }
  await Promise.all(taps.map((tap) => tap.disturb(rule)));
  return {};
}

export async function disturbExchanges(
  context: EnvironmentContext,
  from: string,
  to: string,
  rules: readonly ExchangeRule[],
): Promise<Record<never, never>> {
  if (isStdioEdge(context, { from, to })) placeStdioRules(context, { from, to }, rules);
  else await Promise.all(tapsOf(context, from, to).map((tap) => tap.disturbExchanges(rules)));
  return {};
}

function tapsOf({ book }: EnvironmentContext, from: string, to: string): readonly Tap[] {
  const taps = book.taps.flatMap(({ tap }) => (tap.from === from && tap.to === to ? [tap] : []));
  if (taps.length > 0) return taps;
  throw new Problem({
    code: 'config.unknown-name',
    where: `edge ${from} -> ${to}`,
    what: 'there is no such edge',
    allowed: book.taps.map(({ tap }) => `${tap.from} -> ${tap.to}`).join(', '),
    next: 'see `shakedown status` for the edges of this environment',
  });
}
