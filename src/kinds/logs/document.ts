/** The keys of a `logs` check. */
import { commonCheckKeys, serviceName } from '../kind/keys-of-all.ts';
import { closed, expression, mark } from '../kind/values.ts';

export const logsDocument = closed(
  {
    logs: serviceName,
    match: expression.optional(),
    records: mark(
      'A traceback, with the line that logged it, is one element, and `match` looks in all of it.',
    ),
    ...commonCheckKeys,
  },
  'a logs check',
);

/** As a place of a `correlate` check. */
export const logsPlace = { logs: serviceName.optional() };
