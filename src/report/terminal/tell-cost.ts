/** Money and tokens in words. */

export interface ToldCost {
  readonly costUsd: number;
  /** Absent where nobody knows. */
  readonly paidUsd?: number;
  readonly unpriced: readonly string[];
  readonly unmetered?: number;
  readonly tokens: { readonly input: number; readonly output: number };
}

/** `0.0123 USD`; small sums keep two digits that say something. */
export function tellUsd(usd: number): string {
  const digits = usd > 0 && usd < 0.001 ? 6 : 4;
  return `${usd.toFixed(digits)} USD`;
}

export function hasCost(cost: ToldCost): boolean {
  return cost.costUsd > 0 || !isKnown(cost) || cost.tokens.input + cost.tokens.output > 0;
}

/** Whether the sum is all of it. */
export function isKnown({ unpriced, unmetered = 0 }: ToldCost): boolean {
  return unpriced.length === 0 && unmetered === 0;
}

/** What is not known is never told as nothing, and what nobody paid never as money. */
export function tellCost(cost: ToldCost): string {
  const { costUsd } = cost;
  if (isKnown(cost)) return `${tellUsd(costUsd)}${asIfLive(cost)}`;
  return costUsd > 0 ? `${tellUsd(costUsd)} and more${asIfLive(cost)}` : 'a cost that is not known';
}

/** What stands after a sum of which some, or all, was only played. */
export function asIfLive({ costUsd, paidUsd }: ToldCost): string {
  if (paidUsd === undefined || paidUsd >= costUsd) return '';
  return paidUsd === 0 ? ' as if live' : ` as if live, ${tellUsd(paidUsd)} of it paid`;
}

export function tellTokens({ tokens: { input, output } }: ToldCost): string {
  return `${grouped(input)} + ${grouped(output)} tokens`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
