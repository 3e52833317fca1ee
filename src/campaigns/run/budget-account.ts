/** What a run may spend on real models: lent to attempts before they begin, and counted by actual cost. */
import type { JournalEvent } from '../../journal/event.ts';
import type { System } from '../../system/system.ts';

export interface Budget {
  readonly usd?: number;
  readonly tokens?: number;
}

export interface BudgetAccount {
  /** What an attempt may spend on each model, by resource; `spent` when nothing is left for one of them. */
  lend(ofTrial: Budget | undefined): Loan | 'spent';
  /** Text for the report, once something was spent on a model with a budget. */
  summary(): string | undefined;
}

export interface Loan {
  readonly budgets: Readonly<Record<string, Budget>>;
  /** Counts spending while the loan is open. */
  readonly saw: (event: JournalEvent) => void;
  /** Returns the rest. */
  readonly giveBack: () => void;
}

interface Purse {
  readonly name: string;
  readonly budget: Required<Budget>;
  readonly spent: { usd: number; tokens: number };
  readonly lent: { usd: number; tokens: number };
}

/** `borrowers` attempts may run at once; each gets its share of what is left. */
export function openBudgetAccount({ resources }: System, borrowers: number): BudgetAccount {
  const purses = resources.flatMap((resource): Purse[] => {
    if (resource.kind !== 'model' || (resource.mode !== 'live' && resource.mode !== 'record')) return [];
    const { usd = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY } = resource.budget ?? {};
    return [
      {
        name: resource.name,
        budget: { usd, tokens },
        spent: { usd: 0, tokens: 0 },
        lent: { usd: 0, tokens: 0 },
      },
    ];
  });
  let out = 0;
  let isSpent = false;
  return {
    lend: (ofTrial) => {
      const share = Math.max(1, borrowers - out);
      const loans = purses.map((purse) => ({ purse, loan: loanOf(purse, ofTrial, share) }));
      if (isSpent || loans.some(({ purse }) => isEmpty(purse))) return 'spent';
      // The rest of the run's budget decides, not the trial's own limit.
      const isOfRun = loans.some(({ loan }) => isLess(loan, ofTrial));
      out += 1;
      for (const { purse, loan } of loans) add(purse.lent, loan, 1);
      const budgets = Object.fromEntries(loans.map(({ purse, loan }) => [purse.name, finite(loan)]));
      return {
        budgets,
        saw: (event) => {
          count(purses, event);
          isSpent ||= isOfRun && event.type === 'model.called' && event.fault?.kind === 'budget';
        },
        giveBack: () => {
          out -= 1;
          for (const { purse, loan } of loans) add(purse.lent, loan, -1);
        },
      };
    },
    summary: () => {
      const spentTexts = purses.flatMap(({ name, budget, spent }) =>
        Number.isFinite(budget.usd) || Number.isFinite(budget.tokens)
          ? [
              `${name}: ${inWords(spent.usd, budget.usd, 'USD')}, ${inWords(spent.tokens, budget.tokens, 'tokens')}`,
            ]
          : [],
      );
      return spentTexts.length === 0 ? undefined : spentTexts.join('; ');
    },
  };
}

function loanOf(
  { budget, spent, lent }: Purse,
  ofTrial: Budget | undefined,
  share: number,
): Required<Budget> {
  const left = (key: 'usd' | 'tokens'): number =>
    Number.isFinite(budget[key]) ? Math.max(0, budget[key] - spent[key] - lent[key]) / share : budget[key];
  return {
    usd: Math.min(left('usd'), ofTrial?.usd ?? Number.POSITIVE_INFINITY),
    tokens: Math.floor(Math.min(left('tokens'), ofTrial?.tokens ?? Number.POSITIVE_INFINITY)),
  };
}

function isLess({ usd, tokens }: Required<Budget>, ofTrial: Budget | undefined): boolean {
  return (
    usd < (ofTrial?.usd ?? Number.POSITIVE_INFINITY) || tokens < (ofTrial?.tokens ?? Number.POSITIVE_INFINITY)
  );
}

/** A budget that was zero from the start is refused by the model resource, with the reason. */
function isEmpty({ budget, spent }: Purse): boolean {
  return (['usd', 'tokens'] as const).some((key) => budget[key] > 0 && spent[key] >= budget[key]);
}

function add(sum: { usd: number; tokens: number }, { usd, tokens }: Required<Budget>, sign: 1 | -1): void {
  if (Number.isFinite(usd)) sum.usd += sign * usd;
  if (Number.isFinite(tokens)) sum.tokens += sign * tokens;
}

function finite({ usd, tokens }: Required<Budget>): Budget {
  return {
    ...(Number.isFinite(usd) ? { usd } : {}),
    ...(Number.isFinite(tokens) ? { tokens } : {}),
  };
}

function count(purses: readonly Purse[], event: JournalEvent): void {
  if (event.type !== 'model.called') return;
  const purse = purses.find(({ name }) => name === event.resource);
  if (!purse) return;
  purse.spent.usd += event.counted?.usd ?? event.costUsd ?? 0;
  purse.spent.tokens += event.counted?.tokens ?? (event.usage?.input ?? 0) + (event.usage?.output ?? 0);
}

function inWords(spent: number, budget: number, unit: string): string {
  const shown = unit === 'USD' ? spent.toFixed(4) : String(spent);
  return Number.isFinite(budget) ? `${shown} of ${budget} ${unit}` : `${shown} ${unit}`;
}
