/** The keys of a `spans` check. */
import { commonCheckKeys, where } from '../kind/keys-of-all.ts';
import { closed, text } from '../kind/values.ts';

export const spansDocument = closed(
  {
    spans: text.describe('Spans of this sender, by its `service.name`; `*` is any.'),
    name: text.describe('Only spans of this name; `*` matches any characters.').optional(),
    where,
    ...commonCheckKeys,
  },
  'a spans check',
);

/** As a place of a `correlate` check. */
export const spansPlace = { spans: text.describe('`service.name` of the sender, or `*`.').optional() };
