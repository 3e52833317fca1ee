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

type Whole = Required<Budget>;

const currencies = ['usd', 'tokens'] as const;
const unlimited = Number.POSITIVE_INFINITY;

interface Purse {
  readonly name: string;
  readonly budget: Whole;
  readonly spent: Record<keyof Whole, number>;
  readonly lent: Record<keyof Whole, number>;
}

/** `borrowers` attempts may run at once; each gets its share of what is left. */
export function openBudgetAccount({ resources }: System, borrowers: number): BudgetAccount {
  const purses = resources.flatMap((resource): Purse[] => {
    if (resource.kind !== 'model' || (resource.mode !== 'live' && resource.mode !== 'record')) return [];
    const { usd = unlimited, tokens = unlimited } = resource.budget ?? {};
    const [spent, lent] = [
      { usd: 0, tokens: 0 },
      { usd: 0, tokens: 0 },
    ];
    return [{ name: resource.name, budget: { usd, tokens }, spent, lent }];
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

function loanOf({ budget, spent, lent }: Purse, ofTrial: Budget | undefined, share: number): Whole {
  const least = (key: keyof Whole): number => {
    const left = Math.max(0, budget[key] - spent[key] - lent[key]) / share;
    return Math.min(Number.isFinite(budget[key]) ? left : budget[key], ofTrial?.[key] ?? unlimited);
  };
  return { usd: least('usd'), tokens: Math.floor(least('tokens')) };
}

function isLess(loan: Whole, ofTrial: Budget | undefined): boolean {
  return currencies.some((key) => loan[key] < (ofTrial?.[key] ?? unlimited));
}

/** A budget that was zero from the start is refused by the model resource, with the reason. */
function isEmpty({ budget, spent }: Purse): boolean {
  return currencies.some((key) => budget[key] > 0 && spent[key] >= budget[key]);
}

function add(sum: Record<keyof Whole, number>, loan: Whole, sign: 1 | -1): void {
  for (const key of currencies) if (Number.isFinite(loan[key])) sum[key] += sign * loan[key];
}

function finite(loan: Whole): Budget {
  return Object.fromEntries(Object.entries(loan).filter(([, amount]) => Number.isFinite(amount)));
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
