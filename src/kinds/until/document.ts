/** The keys of an `until` step. */
import { z } from 'zod';
import { stepName } from '../kind/keys-of-all.ts';
import { closed, duration, text } from '../kind/values.ts';

export const untilDocument = closed(
  {
    until: z
      .record(z.string(), z.unknown(), 'a check')
      .describe('Wait until this check holds, at most its `within`.'),
    as: stepName.optional(),
    title: text.optional(),
    timeout: duration.optional(),
  },
  'an until step',
);
