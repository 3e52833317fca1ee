import { describe, expect, test } from 'vitest';
import { costOf, priceOf } from './cost-of.ts';
import { listPrices, pricesAsOf } from './prices.ts';

const million = { input: 1_000_000, output: 1_000_000 };

describe('what a turn costs', () => {
  test('by the list', () => {
    expect(costOf('gpt-4o-mini', million, {})).toBeCloseTo(0.75);
    expect(costOf('claude-sonnet-4-5', { input: 1_000, output: 100 }, {})).toBeCloseTo(0.0045);
  });

  test('input that the provider had kept is cheaper, where the list says so, and never more than all of it', () => {
    expect(costOf('gpt-4.1', { input: 1_000_000, output: 0, cachedInput: 600_000 }, {})).toBeCloseTo(1.1);
    expect(costOf('gpt-5-pro', { input: 1_000_000, output: 0, cachedInput: 600_000 }, {})).toBeCloseTo(15);
    expect(costOf('gpt-4.1', { input: 100, output: 0, cachedInput: 500 }, {})).toBeCloseTo(0.00005);
  });

  test('input that the provider puts into its cache is dearer, for an hour more so, or has the price of the config', () => {
    const usage = { input: 1_001_000, output: 1_000, cacheWrite5m: 0, cacheWrite1h: 1_000_000 };
    expect(costOf('claude-sonnet-4-6', usage, {})).toBeCloseTo(6.018);
    const brief = { ...usage, cacheWrite5m: 1_000_000, cacheWrite1h: 0 };
    expect(costOf('claude-sonnet-4-6', brief, {})).toBeCloseTo(3.768);
    const prices = { own: { input: 1, output: 0, cachedInput: 0.5, cacheWrite: 10 } };
    const read = { input: 3_000_000, output: 0, cachedInput: 1_000_000, cacheWrite5m: 1_000_000 };
    expect(costOf('own', read, prices)).toBeCloseTo(11.5);
    expect(costOf('own', { input: 1_000_000, output: 0, cacheWrite1h: 1_000_000 }, prices)).toBeCloseTo(16);
  });

  test('a missing price or usage is null, never free', () => {
    expect(costOf('our-own-model', million, {})).toBeNull();
    expect(costOf('gpt-4o', null, {})).toBeNull();
    expect(costOf(null, million, {})).toBeNull();
    expect(costOf('constructor', million, {})).toBeNull();
  });

  test('the prices of the config come first', () => {
    const prices = { 'gpt-4o': { input: 1, output: 1 }, 'our-own-model': { input: 0, output: 0 } };
    expect(costOf('gpt-4o', million, prices)).toBe(2);
    expect(costOf('our-own-model', million, prices)).toBe(0);
  });

  test.each([
    ['gpt-4o-2024-08-06', 'gpt-4o'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['claude-3-7-sonnet-latest', 'claude-3-7-sonnet'],
    ['models/gemini-2.5-flash-preview-05-20', 'gemini-2.5-flash'],
    ['gemini-3-pro-preview', 'gemini-3-pro'],
  ])('%s is an issue of %s', (issue, model) => {
    expect(priceOf(issue, {})).toBe(listPrices[model]);
  });

  test('another model that begins alike is another model', () => {
    expect(priceOf('gpt-4o-audio-preview', {})).toBeUndefined();
    expect(priceOf('gpt-5-turbo-ultra', {})).toBeUndefined();
  });

  test('the list is whole, and has a date', () => {
    expect(pricesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    for (const [model, { input, output, cachedInput }] of Object.entries(listPrices)) {
      if (!model.includes('embedding')) expect(output, model).toBeGreaterThanOrEqual(input);
      expect(cachedInput ?? 0, model).toBeLessThan(input);
    }
  });
});
