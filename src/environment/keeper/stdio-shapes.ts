/** Rules for answers over stdio: kept and counted here, because their taps come and go with the tool servers. */
import { defined } from '../../kernel/defined.ts';
import { type EdgeEnds, edgeOf } from '../../kernel/edge-name.ts';
import type { ExchangeRule } from '../../taps/exchanges/exchange-rule.ts';
import { isChosen } from '../../taps/exchanges/placed-rules.ts';
import type { ShapeOrder } from '../../taps/stdio/answer-gate.ts';
import type { EnvironmentContext } from '../environment-context.ts';

export interface StdioRule {
  readonly rule: ExchangeRule;
  /** Requests that it matched so far. */
  count: number;
  /** Seeds of orders without a report yet, to verify reports, which a service could forge. */
  readonly open: Set<string>;
}

export function placeStdioRules(
  { stdioRules }: EnvironmentContext,
  edge: EdgeEnds,
  rules: readonly ExchangeRule[],
): void {
  const placed = rules.map((rule) => ({ rule, count: 0, open: new Set<string>() }));
  stdioRules.set(edgeOf(edge), placed);
}

/** The first rule that applies to the request; each rule counts its matches. */
export function orderShape(
  { stdioRules, random }: EnvironmentContext,
  { method, ...ends }: EdgeEnds & { readonly method: string },
): { readonly order?: ShapeOrder } {
  const edge = edgeOf(ends);
  const met = (stdioRules.get(edge) ?? []).flatMap((placed): ShapeOrder[] => {
    const { where, fault, name } = placed.rule;
    if (fault.do !== 'shape' || (where?.rpc !== undefined && where.rpc !== method)) return [];
    placed.count += 1;
    if (!isChosen(placed.rule, placed.count)) return [];
    const seed = random.fork(`${edge}/${name}/${placed.count}`).hex(16);
    placed.open.add(seed);
    return [{ rule: name, shape: fault.shape, seed }];
  });
  return defined({ order: met[0] });
}

export function recordShape(
  context: EnvironmentContext,
  { from, to, order, isFit }: EdgeEnds & { readonly order: ShapeOrder; readonly isFit: boolean },
): void {
  const { rule: disturbance, shape, seed } = order;
  const rules = context.stdioRules.get(edgeOf({ from, to })) ?? [];
  if (!rules.some(({ rule, open }) => rule.name === disturbance && open.delete(seed))) return;
  const what = isFit
    ? `sent in the shape ${shape}`
    : `the shape ${shape} does not fit this request and its answer`;
  const type = isFit ? 'disturbance.felt' : 'disturbance.unfit';
  context.emit({ type, from, to, disturbance, crossing: 0, connection: 1, what });
}
