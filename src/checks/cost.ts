/** The cost of the models of an attempt, as far as it is known. */
import type { ModelCalled } from '../journal/peer-event.ts';

export interface Cost {
  /** The sum of all known costs, paid or hypothetical. */
  readonly costUsd: number;
  /** The part paid to a real provider; scripts and recordings cost nothing. */
  readonly paidUsd?: number;
  /** Models with a call without a price: their cost is not in the sum. */
  readonly unpriced: readonly string[];
  /** How many calls to a real provider reported no usage: their cost is not in the sum. Absent if none. */
  readonly unmetered?: number;
  readonly tokens: { readonly input: number; readonly output: number };
}

export const noCost: Cost = { costUsd: 0, paidUsd: 0, unpriced: [], tokens: { input: 0, output: 0 } };

export function costOf(calls: readonly ModelCalled[]): Cost {
  return sumCosts(calls.map(costOfCall));
}

export function sumCosts(costs: readonly Cost[]): Cost {
  const sum = (part: (cost: Cost) => number): number => costs.reduce((total, cost) => total + part(cost), 0);
  const unmetered = sum((cost) => cost.unmetered ?? 0);
  return {
    costUsd: withoutDust(sum(({ costUsd }) => costUsd)),
    paidUsd: withoutDust(sum(({ paidUsd }) => paidUsd ?? 0)),
    unpriced: [...new Set(costs.flatMap(({ unpriced }) => unpriced))].sort(),
    ...(unmetered > 0 ? { unmetered } : {}),
    tokens: { input: sum(({ tokens }) => tokens.input), output: sum(({ tokens }) => tokens.output) },
  };
}

function costOfCall({ resource, model, costUsd, usage, status, mode }: ModelCalled): Cost {
  // A refused call without usage was not billed; nor was silence that we play ourselves.
  const isReal = mode === 'live' || mode === 'record';
  const isSilent = usage === null && status < 400 && isReal;
  return {
    costUsd: costUsd ?? 0,
    paidUsd: isReal ? (costUsd ?? 0) : 0,
    unpriced: costUsd === null && usage !== null ? [model ?? `a model of ${resource}`] : [],
    unmetered: costUsd === null && isSilent ? 1 : 0,
    tokens: { input: usage?.input ?? 0, output: usage?.output ?? 0 },
  };
}

/** Floating-point sums have meaningless digits: a billionth of a dollar is enough. */
function withoutDust(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}
