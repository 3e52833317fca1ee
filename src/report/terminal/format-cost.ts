/** Money and tokens as text. */
import type { Cost } from '../../checks/cost.ts';

/** `0.0123 USD`; small sums keep two significant digits. */
export function formatUsd(usd: number): string {
  const digits = usd > 0 && usd < 0.001 ? 6 : 4;
  return `${usd.toFixed(digits)} USD`;
}

export function hasCost(cost: Cost): boolean {
  return cost.costUsd > 0 || !isKnown(cost) || cost.tokens.input + cost.tokens.output > 0;
}

/** Whether the sum is complete. */
export function isKnown({ unpriced, unmetered = 0 }: Cost): boolean {
  return unpriced.length === 0 && unmetered === 0;
}

/** An unknown cost is never shown as zero, and a hypothetical cost never as paid. */
export function formatCost(cost: Cost): string {
  const { costUsd } = cost;
  if (isKnown(cost)) return `${formatUsd(costUsd)}${asIfLive(cost)}`;
  return costUsd > 0 ? `${formatUsd(costUsd)} and more${asIfLive(cost)}` : 'a cost that is not known';
}

/** What follows a sum of which some, or all, was only played. */
export function asIfLive({ costUsd, paidUsd }: Cost): string {
  if (paidUsd === undefined || paidUsd >= costUsd) return '';
  return paidUsd === 0 ? ' as if live' : ` as if live, ${formatUsd(paidUsd)} of it paid`;
}

export function formatTokens({ tokens: { input, output } }: Cost): string {
  return `${grouped(input)} + ${grouped(output)} tokens`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
