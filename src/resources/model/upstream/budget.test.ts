import { describe, expect, test } from 'vitest';
import { openBudget } from './budget.ts';

const call = { usd: 0.04, tokens: 400 };

describe('a budget', () => {
  test('reserves the worst case, and counts what it came to', () => {
    const budget = openBudget({ usd: 0.1 }, 'the budget');
    const first = budget.reserve(call);
    const second = budget.reserve(call);
    expect(budget.objection(call)).toBe(
      'the budget is $0.1: $0 are spent, $0.08 are reserved for calls in progress, and this call may cost up to $0.04',
    );
    first.settle({ usd: 0.01, tokens: 100 });
    expect(budget.objection(call)).toBeUndefined();
    second.settle({ usd: 0.01, tokens: 100 });
    expect(budget.spent()).toEqual({ usd: 0.02, tokens: 200 });
  });

  test('an unmetered call is counted at its worst, and once', () => {
    const budget = openBudget({ tokens: 1_000 }, 'the budget');
    const reserved = budget.reserve(call);
    reserved.settle(undefined);
    reserved.settle({ usd: 0, tokens: 0 });
    expect(budget.spent()).toEqual(call);
    expect(budget.objection({ usd: 0, tokens: 601 })).toMatch('is 1000 tokens: 400 are spent');
  });

  test('reports when a call cost more than its worst case, and refuses the next', () => {
    const budget = openBudget({ usd: 0.1, tokens: 1_000 }, 'the budget');
    budget.reserve(call).settle({ usd: 0.1, tokens: 1_000 });
    expect(budget.overrun()).toBeUndefined();
    budget.reserve(call).settle({ usd: 0.2, tokens: 1 });
    expect(budget.overrun()).toMatch(/^the budget is \$0\.1, and \$0\.3 are spent: /);
    expect(budget.objection({ usd: 0, tokens: 0 })).toMatch('$0.3 are spent');
    const tokens = openBudget({ tokens: 10 }, 'it');
    tokens.reserve({ usd: null, tokens: 1 }).settle({ usd: null, tokens: 11 });
    expect(tokens.overrun()).toMatch(/^it is 10 tokens, and 11 are spent: /);
  });

  test('of zero refuses everything, what is free too', () => {
    expect(openBudget({ usd: 0 }, 'it').objection({ usd: 0, tokens: 1 })).toMatch('it is $0');
    expect(openBudget({ tokens: 0 }, 'it').objection({ usd: 0, tokens: 0 })).toMatch('it is 0 tokens');
  });

  test('in dollars refuses a model without a price; in tokens it does not', () => {
    const unknown = { usd: null, tokens: 10 };
    expect(openBudget({ usd: 5 }, 'it').objection(unknown)).toMatch('the price of the model is not known');
    expect(openBudget({ tokens: 5_000 }, 'it').objection(unknown)).toBeUndefined();
  });

  test('without limits allows everything', () => {
    expect(openBudget({}, 'it').objection({ usd: null, tokens: 1e12 })).toBeUndefined();
  });
});
