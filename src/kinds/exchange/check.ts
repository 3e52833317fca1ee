/** The result of a step; its fields are those of the kinds of steps. */
import type { CheckKind } from '../kind/check-kind.ts';

export const exchangeCheck: CheckKind = {
  gives: 'map',
  givesResult: true,
  query: (named) => ({ exchange: named }),
  source: ({ exchange }) => `exchange ${String(exchange)}`,
  isJournalled: true,
};
