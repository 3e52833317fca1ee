/** The fault that stops a response at a place, for a time or permanently. */
import { defined } from '../../../kernel/defined.ts';
import type { ExchangeEdit } from '../exchange-edit.ts';
import type { ExchangeFault } from '../exchange-rule.ts';
import { stopAt } from './stop-at.ts';

type Hold = Extract<ExchangeFault, { do: 'hold' }>;

export function holdEdit({ at, ms }: Hold): ExchangeEdit {
  const time = ms === undefined ? 'permanently' : `for ${ms} ms`;
  return stopAt(at, (where) => [{ do: 'felt', what: `held ${where}, ${time}` }, defined({ do: 'hold', ms })]);
}
