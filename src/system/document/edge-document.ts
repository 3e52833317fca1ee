/** The keys of an edge in the config: what counts as idle there. */
import { z } from 'zod';
import { parseSize } from '../../kernel/size.ts';
import { closed } from '../../kinds/kind/values.ts';

const edgeRule = 'an edge, such as `agent -> gateway`';
export const edge = z.string(edgeRule).regex(/^\s*\S+\s*->\s*\S+\s*$/, edgeRule);

const rateRule = 'a rate such as `2KB/s`';
const rate = z
  .string(rateRule)
  .refine((written) => (parseSize(written.replace(/\/s$/, '')) ?? 0) > 0 && written.endsWith('/s'), rateRule);

const idleRule = 'ignore, or { below: 2KB/s }';

export const edgeDocument = closed(
  {
    idle: z
      .union(
        [
          z.literal('ignore', idleRule),
          closed({ below: rate.describe('With less than this it counts as idle.') }, 'what counts as idle'),
        ],
        idleRule,
      )
      .describe(
        'For an edge that never falls silent: nothing on it is waited for, or only more than so much.',
      ),
  },
  'an edge',
);
