/** The fault that ends the connection at a place of the response. */
import type { ExchangeEdit } from '../exchange-edit.ts';
import type { ExchangeFault } from '../exchange-rule.ts';
import { stopAt } from './stop-at.ts';

type Cut = Extract<ExchangeFault, { do: 'cut' }>;

export function cutEdit({ at, by }: Cut): ExchangeEdit {
  return stopAt(at, (where) => [{ do: 'cut', by, what: `cut by ${by} ${where}` }]);
}
