/** The policy of a suite, as written in the config: which drivers may act, and what is allowed that would be a finding otherwise. */
import { z } from 'zod';
import { type Advice, closed, name, text } from '../../kinds/kind/values.ts';

/** An allowance that matches everything would disable the rule. */
const narrowGlob = text.refine((glob) => !/^(?:\.\/)?\*{1,2}(?:\/\*{1,2})*$/.test(glob), {
  error: 'a glob for certain files or modules, not for all of them',
  params: { code: 'config.bad-pattern', next: 'name the folder or the file that you mean' } satisfies Advice,
});

const allowance = (what: string, globs: string) =>
  closed(
    {
      allow: z.array(narrowGlob, 'a list of globs').min(1, 'at least one glob').describe(globs),
      because: text.describe('Why this does not bypass the system.'),
    },
    what,
  );

export const suiteDocument = closed(
  {
    drivers: z
      .array(text, 'a list of drivers')
      .min(1, 'at least one driver')
      .describe('Only these may act; every one when absent.')
      .optional(),
    imports: allowance(
      'allowed imports',
      'Modules that flows may import: paths relative to the config file, or names of packages.',
    )
      .describe('What flows may import beside `shakedown`, modules of Node and the suite itself.')
      .optional(),
    writes: allowance('allowed writes', 'Trial files, relative to the config file.')
      .describe('Trials that may write to the data of the system directly.')
      .optional(),
    sleeps: allowance('allowed sleeps', 'Trial files, relative to the config file.')
      .describe('Trials that may wait for a fixed time.')
      .optional(),
    openapi: z
      .record(
        name,
        z
          .string('a path that begins with /')
          .regex(/^\//, 'a path that begins with /, such as `/openapi.json`'),
        'a map from services to paths',
      )
      .describe('Where a service serves its OpenAPI document; the usual places are tried when absent.')
      .optional(),
  },
  'suite',
);
