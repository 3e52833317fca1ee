/** The keys of an `exchange` check. */
import { commonCheckKeys, stepName } from '../kind/keys-of-all.ts';
import { closed } from '../kind/values.ts';

export const exchangeDocument = closed(
  { exchange: stepName.describe('The result of the step with this name.'), ...commonCheckKeys },
  'an exchange check',
);

/** As a place of a `correlate` check. */
export const exchangePlace = { exchange: stepName.optional() };
