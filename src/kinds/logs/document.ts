/** The keys of a `logs` check. */
import { commonCheckKeys, serviceName } from '../kind/keys-of-all.ts';
import { closed, expression } from '../kind/values.ts';

export const logsDocument = closed(
  { logs: serviceName, match: expression.optional(), ...commonCheckKeys },
  'a logs check',
);

/** As a place of a `correlate` check. */
export const logsPlace = { logs: serviceName.optional() };
