/** The deed that stops a response at a place, for a time or for good. */
import type { ExchangeEdit } from '../exchange-edit.ts';
import type { ExchangeDeed } from '../exchange-rule.ts';
import { stopAt } from './stop-at.ts';

type Hold = Extract<ExchangeDeed, { do: 'hold' }>;

export function holdEdit({ at, ms }: Hold): ExchangeEdit {
  const time = ms === undefined ? 'for good' : `for ${ms} ms`;
  return stopAt(at, (where) => [
    { do: 'felt', what: `held ${where}, ${time}` },
    { do: 'hold', ...(ms === undefined ? {} : { ms }) },
  ]);
}
