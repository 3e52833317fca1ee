/** The keys of a `redis` check. */
import { commonCheckKeys, where } from '../kind/keys-of-all.ts';
import { choice, closed, text, whole } from '../kind/values.ts';

export const redisDocument = closed(
  {
    redis: text.describe('A resource of `kind: redis`, or a service that speaks its protocol.'),
    key: text.describe('A key, or a glob of Redis such as `jobs:*`; every key when absent.').optional(),
    database: whole('a whole number, 0 or more', 0)
      .describe('The number of the database; the one that `${NAME.url}` names when absent.')
      .optional(),
    as: choice(
      ['json', 'text'],
      'Whether a text that is a JSON object or list is shown as that; `json` when absent.',
    ),
    where,
    ...commonCheckKeys,
  },
  'a redis check',
);

/** As a place of a `correlate` check. */
export const redisPlace = {
  redis: text.describe('A resource of `kind: redis`, or a service that speaks its protocol.').optional(),
  key: text.describe('Of redis: a key or a glob.').optional(),
};
