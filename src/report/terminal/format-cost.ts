/** Money and tokens as text; and the cost of a run: the total, the most expensive trials, models without a price, refusals. */
import type { Cost } from '../../checks/cost.ts';
import type { RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { counted } from '../../kernel/counted.ts';
import { andMore, firstOf, item, type Line, line } from './line.ts';
import { storyLimits } from './story-limits.ts';

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

/** The cost of a run, paid or as if live: the total, the most expensive trials, models without a price, refusals. */
export function formatCosts({ trials }: RunVerdict): readonly Line[] {
  const paid = trials.filter(hasCost);
  const refused = formatRefused(trials);
  if (paid.length + refused.length === 0) return [];
  const total = sum(paid);
  const shown = `cost ${formatUsd(total.costUsd)}${asIfLive(total)}, ${formatTokens(total)}${withoutPrice(total)}${withoutUsage(total)}`;
  return [line(''), item('', shown, 'bold'), ...dearest(paid), ...refused];
}

function sum(paid: readonly TrialVerdict[]): Cost {
  const add = (part: (trial: TrialVerdict) => number): number =>
    paid.reduce((total, trial) => total + part(trial), 0);
  return {
    costUsd: add(({ costUsd }) => costUsd),
    ...(paid.every(({ paidUsd }) => paidUsd !== undefined)
      ? { paidUsd: add(({ paidUsd = 0 }) => paidUsd) }
      : {}),
    unpriced: [...new Set(paid.flatMap(({ unpriced }) => unpriced))].sort(),
    unmetered: add(({ unmetered = 0 }) => unmetered),
    tokens: { input: add(({ tokens }) => tokens.input), output: add(({ tokens }) => tokens.output) },
  };
}

/** A model without a price is not in the sum, and must not look free. */
function withoutPrice({ unpriced }: Cost): string {
  if (unpriced.length === 0) return '';
  return `, ${counted(unpriced.length, 'model')} without price: ${unpriced.join(', ')}`;
}

function withoutUsage({ unmetered = 0 }: Cost): string {
  if (unmetered === 0) return '';
  return `, the usage of ${counted(unmetered, 'call')} was not reported (a stream of chat completions reports it with \`stream_options: { include_usage: true }\`)`;
}

function dearest(paid: readonly TrialVerdict[]): readonly Line[] {
  const sorted = paid.toSorted((a, b) => b.costUsd - a.costUsd || b.tokens.output - a.tokens.output);
  const shown = sorted.slice(0, storyLimits.costs);
  const width = Math.max(0, ...shown.map(({ costUsd }) => formatUsd(costUsd).length));
  const draw = (trial: TrialVerdict): Line => {
    const text = `${trial.id}  ${formatTokens(trial)}${isKnown(trial) ? '' : ', not all of it priced'}`;
    return item(`  ${formatUsd(trial.costUsd).padStart(width)}  `, text, 'dim');
  };
  return firstOf(sorted, storyLimits.costs, draw, andMore('  ', ', all in verdict.json'));
}

function formatRefused(trials: readonly TrialVerdict[]): readonly Line[] {
  const refused = trials.filter(({ cause }) => cause?.kind === 'budget');
  const [first] = refused;
  if (!first) return [];
  const others = refused.length === 1 ? '' : ` and ${refused.length - 1} more`;
  const text = `a budget allowed no more: ${first.cause?.text} (${first.id}${others}); raise \`budget\`, or select fewer trials`;
  return [item('  ', text, 'yellow')];
}
