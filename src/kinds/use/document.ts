/** The keys of a `use` step. */
import { z } from 'zod';
import { pattern } from '../kind/keys-of-all.ts';
import { closed, text } from '../kind/values.ts';

export const useDocument = closed(
  {
    use: text.describe('A file of shared steps, relative to this one.'),
    with: z
      .record(z.string(), pattern, 'a map of values')
      .describe('What `${with.…}` means in it.')
      .optional(),
  },
  'a use step',
);
