/** The keys of a `rows` check. */
import { z } from 'zod';
import { commonCheckKeys, where } from '../kind/keys-of-all.ts';
import { closed, text } from '../kind/values.ts';

const tableRule =
  'a service and a table, such as `health.symptoms`; `*` matches any, `!health.*` all but those of health';
const table = z.string(tableRule).regex(/^(?:\*|!?[a-z][a-z0-9-]*)(?:\.(?:\*|[^\s.*!{}]+)){1,2}$/, tableRule);

export const rowsDocument = closed(
  {
    rows: table.describe('Rows of a table, in the service’s own place.'),
    where,
    columns: z.array(text, 'a list of columns').optional(),
    orderBy: text.optional(),
    ...commonCheckKeys,
  },
  'a rows check',
);

/** As a place of a `correlate` check. */
export const rowsPlace = {
  rows: text.describe('A service and a table, such as `health.sessions`.').optional(),
};
