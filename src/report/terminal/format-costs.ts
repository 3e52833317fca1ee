/** The cost of a run, paid or as if live: the total, the most expensive trials, models without a price, refusals. */
import type { RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { asIfLive, type CostSummary, formatTokens, formatUsd, hasCost, isKnown } from './format-cost.ts';
import { type Line, labelled, line } from './line.ts';
import { storyLimits } from './story-limits.ts';

export function formatCosts({ trials }: RunVerdict, columns: number): readonly Line[] {
  const paid = trials.filter(hasCost);
  const refused = formatRefused(trials, columns);
  if (paid.length + refused.length === 0) return [];
  const total = sum(paid);
  const shown = `cost ${formatUsd(total.costUsd)}${asIfLive(total)}, ${formatTokens(total)}${withoutPrice(total)}${withoutUsage(total)}`;
  return [line(''), ...labelled('', shown, columns, 'bold'), ...dearest(paid, columns), ...refused];
}

function sum(paid: readonly TrialVerdict[]): CostSummary {
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
function withoutPrice({ unpriced }: CostSummary): string {
  if (unpriced.length === 0) return '';
  const models = unpriced.length === 1 ? '1 model' : `${unpriced.length} models`;
  return `, ${models} without price: ${unpriced.join(', ')}`;
}

function withoutUsage({ unmetered = 0 }: CostSummary): string {
  if (unmetered === 0) return '';
  const calls = unmetered === 1 ? '1 call' : `${unmetered} calls`;
  return `, the usage of ${calls} was not reported (a stream of chat completions reports it with \`stream_options: { include_usage: true }\`)`;
}

function dearest(paid: readonly TrialVerdict[], columns: number): readonly Line[] {
  const shown = [...paid]
    .sort((a, b) => b.costUsd - a.costUsd || b.tokens.output - a.tokens.output)
    .slice(0, storyLimits.costs);
  const rest = paid.length - shown.length;
  const width = Math.max(0, ...shown.map(({ costUsd }) => formatUsd(costUsd).length));
  return [
    ...shown.flatMap((trial) =>
      labelled(
        `  ${formatUsd(trial.costUsd).padStart(width)}  `,
        `${trial.id}  ${formatTokens(trial)}${isKnown(trial) ? '' : ', not all of it priced'}`,
        columns,
        'dim',
      ),
    ),
    ...(rest > 0 ? [line(`  … and ${rest} more, all in verdict.json`, 'dim')] : []),
  ];
}

function formatRefused(trials: readonly TrialVerdict[], columns: number): readonly Line[] {
  const refused = trials.filter(({ cause }) => cause?.kind === 'budget');
  const [first] = refused;
  if (!first) return [];
  const others = refused.length === 1 ? '' : ` and ${refused.length - 1} more`;
  return labelled(
    '  ',
    `a budget allowed no more: ${first.cause?.text} (${first.id}${others}); raise \`budget\`, or select fewer trials`,
    columns,
    'yellow',
  );
}
