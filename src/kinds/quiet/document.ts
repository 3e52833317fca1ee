/** The keys of a `quiet` step. */
import { z } from 'zod';
import { commonStepKeys } from '../kind/keys-of-all.ts';
import { closed } from '../kind/values.ts';

export const quietDocument = closed(
  { quiet: z.literal(true, 'true').describe('Wait until every edge is idle.'), ...commonStepKeys },
  'a quiet step',
);
