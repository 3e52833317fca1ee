/** The keys of a `changes` check. */
import { z } from 'zod';
import { commonCheckKeys } from '../kind/keys-of-all.ts';
import { closed, listOf, text } from '../kind/values.ts';

/** `kinds` are those of which changes can be observed. */
export const changesDocument = (kinds: readonly string[]) =>
  closed(
    {
      changes: z
        .array(z.enum(kinds, kinds.join(', ')), 'a list of kinds')
        .min(1, `at least one of ${kinds.join(', ')}`),
      only: listOf(text, 'a list of checks', 'Each change must be claimed by one of these checks.'),
      ...commonCheckKeys,
    },
    'a changes check',
  );
