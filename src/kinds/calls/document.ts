/** The keys of a `calls` check. */
import { commonCheckKeys, edge, where } from '../kind/keys-of-all.ts';
import { closed } from '../kind/values.ts';

export const callsDocument = closed(
  { calls: edge.describe('What crossed an edge, as its tap saw it.'), where, ...commonCheckKeys },
  'a calls check',
);

/** As a place of a `correlate` check. */
export const callsPlace = { calls: edge.optional() };
