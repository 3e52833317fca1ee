/** What may be spent, what was, and what the calls in progress could cost at most. Pure. */
import type { Usage } from '../../../protocols/turn/turn.ts';
import type { ModelPrice } from '../../../system/system.ts';
import { costOf } from '../cost-of.ts';
import type { ModelCall } from '../model-call.ts';

interface BudgetLimits {
  readonly usd?: number;
  readonly tokens?: number;
}

/** Of one call; `usd` is null where the price is not known. */
export interface Amount {
  readonly usd: number | null;
  readonly tokens: number;
}

export interface Budget {
  /** Why a call that could come to this must not be made; undefined where it may. */
  objection(worst: Amount): string | undefined;
  /** Puts it aside until it is known what the call came to. */
  reserve(worst: Amount): Reservation;
  /** That more was spent than there was: a call may come to more than its request shows. */
  overrun(): string | undefined;
  spent(): { readonly usd: number; readonly tokens: number };
}

interface Reservation {
  /** Once; where it stays unknown what it came to, the worst is counted. */
  settle(actual: Amount | undefined): void;
}

/** `whose` as it is printed: `the budget of the trial`. */
export function openBudget(limits: BudgetLimits, whose: string): Budget {
  const spent = { usd: 0, tokens: 0 };
  const open = { usd: 0, tokens: 0 };
  return {
    objection: (worst) => {
      const { usd, tokens } = limits;
      if (usd !== undefined) {
        if (worst.usd === null) return `${whose} is in US dollars, and the price of the model is not known`;
        if (usd === 0 || spent.usd + open.usd + worst.usd > usd)
          return `${whose} is ${dollars(usd)}: ${used(dollars(spent.usd), dollars(open.usd))}, and this call may cost up to ${dollars(worst.usd)}`;
      }
      if (tokens !== undefined && (tokens === 0 || spent.tokens + open.tokens + worst.tokens > tokens))
        return `${whose} is ${tokens} tokens: ${used(String(spent.tokens), String(open.tokens))}, and this call may take up to ${worst.tokens}`;
      return undefined;
    },
    reserve: (worst) => {
      add(open, worst, 1);
      let isOpen = true;
      return {
        settle: (actual) => {
          if (!isOpen) return;
          isOpen = false;
          add(open, worst, -1);
          add(spent, { usd: actual?.usd ?? worst.usd, tokens: actual?.tokens ?? worst.tokens }, 1);
        },
      };
    },
    overrun: () => {
      const { usd = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY } = limits;
      if (spent.usd > usd * (1 + rounding)) return over(whose, dollars(usd), dollars(spent.usd));
      return spent.tokens > tokens ? over(whose, `${tokens} tokens`, String(spent.tokens)) : undefined;
    },
    spent: () => ({ ...spent }),
  };
}

/** Sums of fractions are not exact. */
const rounding = 1e-9;

function over(whose: string, budget: string, spent: string): string {
  return `${whose} is ${budget}, and ${spent} are spent: the last call cost more than its request shows (what a URL, a file id or an earlier response refers to is not in it)`;
}

function add(sum: { usd: number; tokens: number }, { usd, tokens }: Amount, sign: 1 | -1): void {
  sum.usd = Math.max(0, sum.usd + sign * (usd ?? 0));
  sum.tokens = Math.max(0, sum.tokens + sign * tokens);
}

function used(spent: string, open: string): string {
  return `${spent} are spent, ${open} are reserved for calls in progress`;
}

function dollars(usd: number): string {
  return `$${usd === 0 ? '0' : usd.toPrecision(3).replace(/\.?0+$/, '')}`;
}

/** What is assumed of a call that does not say how long its answer may be. */
export const assumedOutputTokens = 32_768;

/** A token is rarely shorter than this, in any language. */
const bytesOfToken = 3;

export function worstCase(
  { dialect, request, wire }: Pick<ModelCall, 'dialect' | 'request' | 'wire'>,
  prices: Readonly<Record<string, ModelPrice>>,
): Amount {
  const input = Math.ceil(wire.body.length / bytesOfToken);
  const output = (request.maxTokens ?? assumedOutputTokens) * (request.choices ?? 1);
  const written = dialect.name === 'anthropic' ? cacheWrites(wire.body, input) : {};
  return { usd: costOf(request.model, { input, output, ...written }, prices), tokens: input + output };
}

/** Where anything may be put into the cache, all of it may. */
function cacheWrites(body: ModelCall['wire']['body'], input: number): Partial<Usage> {
  if (!body.includes('"cache_control"')) return {};
  return body.includes('"1h"') ? { cacheWrite1h: input } : { cacheWrite5m: input };
}
