/** What a run cost, or would have cost live: the whole, the dearest trials, the models without a price, and where a budget said no. */
import type { RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { type Line, labelled, line } from './line.ts';
import { storyLimits } from './story-limits.ts';
import { asIfLive, hasCost, isKnown, type ToldCost, tellTokens, tellUsd } from './tell-cost.ts';

export function tellCosts({ trials }: RunVerdict, columns: number): readonly Line[] {
  const paid = trials.filter(hasCost);
  const refused = tellRefused(trials, columns);
  if (paid.length + refused.length === 0) return [];
  const total = sum(paid);
  const told = `cost ${tellUsd(total.costUsd)}${asIfLive(total)}, ${tellTokens(total)}${withoutPrice(total)}${withoutUsage(total)}`;
  return [line(''), ...labelled('', told, columns, 'bold'), ...dearest(paid, columns), ...refused];
}

function sum(paid: readonly TrialVerdict[]): ToldCost {
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

/** What has no price is not in the sum, and must not look as if it were free. */
function withoutPrice({ unpriced }: ToldCost): string {
  if (unpriced.length === 0) return '';
  const models = unpriced.length === 1 ? '1 model' : `${unpriced.length} models`;
  return `, ${models} without price: ${unpriced.join(', ')}`;
}

function withoutUsage({ unmetered = 0 }: ToldCost): string {
  if (unmetered === 0) return '';
  const calls = unmetered === 1 ? '1 call' : `${unmetered} calls`;
  return `, the usage of ${calls} was not told (a stream of chat completions tells it with \`stream_options: { include_usage: true }\`)`;
}

function dearest(paid: readonly TrialVerdict[], columns: number): readonly Line[] {
  const told = [...paid]
    .sort((a, b) => b.costUsd - a.costUsd || b.tokens.output - a.tokens.output)
    .slice(0, storyLimits.costs);
  const rest = paid.length - told.length;
  const width = Math.max(0, ...told.map(({ costUsd }) => tellUsd(costUsd).length));
  return [
    ...told.flatMap((trial) =>
      labelled(
        `  ${tellUsd(trial.costUsd).padStart(width)}  `,
        `${trial.id}  ${tellTokens(trial)}${isKnown(trial) ? '' : ', not all of it priced'}`,
        columns,
        'dim',
      ),
    ),
    ...(rest > 0 ? [line(`  … and ${rest} more, all in verdict.json`, 'dim')] : []),
  ];
}

function tellRefused(trials: readonly TrialVerdict[], columns: number): readonly Line[] {
  const refused = trials.filter(({ cause }) => cause?.kind === 'budget');
  const [first] = refused;
  if (!first) return [];
  const others = refused.length === 1 ? '' : ` and ${refused.length - 1} more`;
  return labelled(
    '  ',
    `a budget refused a call: ${first.cause?.text} (${first.id}${others}); raise \`budget\`, or select fewer trials`,
    columns,
    'yellow',
  );
}
