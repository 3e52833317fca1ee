/** What a turn costs, as far as the price of its model is known. */
import type { Usage } from '../../protocols/turn/turn.ts';
import type { ModelPrice } from '../../system/system.ts';
import { listPrices } from './prices.ts';

type Prices = Readonly<Record<string, ModelPrice>>;

/** US dollars; null where the usage or the price is not known, which never means free. */
export function costOf(model: string | null, usage: Usage | null, prices: Prices): number | null {
  const price = priceOf(model, prices);
  if (price === undefined || usage === null) return null;
  const { input, output, cachedInput = 0, cacheWrite5m = 0, cacheWrite1h = 0 } = usage;
  const { cachedInput: read = price.input, cacheWrite = price.input * briefFactor } = price;
  const cached = Math.min(cachedInput, input);
  const plain = Math.max(0, input - cached - cacheWrite5m - cacheWrite1h);
  const written = cacheWrite5m + cacheWrite1h * hourFactor;
  const dollars = plain * price.input + cached * read + written * cacheWrite + output * price.output;
  return dollars / 1_000_000;
}

/** By Anthropic's list: a write for five minutes costs 1.25 times the input, for an hour twice. */
const briefFactor = 1.25;
const hourFactor = 2 / briefFactor;

/** The user's own prices come before the table; a name with a date at its end has the price of the name without it. */
export function priceOf(model: string | null, prices: Prices): ModelPrice | undefined {
  if (model === null) return undefined;
  const plain = plainName(model);
  const found = [
    [prices, model],
    [prices, plain],
    [listPrices, model],
    [listPrices, plain],
  ] as const;
  return found.map(([table, name]) => (Object.hasOwn(table, name) ? table[name] : undefined)).find(Boolean);
}

/** Without `models/`, which Gemini puts in front, and without what names one issue of a model. */
function plainName(model: string): string {
  return model
    .replace(/^models\//, '')
    .replace(/(?:-latest|-\d{8}|-\d{4}-\d{2}-\d{2}|-\d{3}|-preview(?:-\d{2}-\d{2,4})?)$/, '');
}
