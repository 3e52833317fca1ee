/** The keys of an `events` check. */
import { commonCheckKeys, serviceName, where } from '../kind/keys-of-all.ts';
import { closed, text } from '../kind/values.ts';

export const eventsDocument = closed(
  {
    events: serviceName,
    file: text.describe('A JSON-lines file in the service’s folder.'),
    where,
    ...commonCheckKeys,
  },
  'an events check',
);

/** As a place of a `correlate` check. */
export const eventsPlace = {
  events: serviceName.optional(),
  file: text.describe('Of events: the file.').optional(),
};
