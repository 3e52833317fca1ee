/** The policy of a suite, as written in the config: which drivers may act, and what is allowed that would be a finding otherwise. */
import { z } from 'zod';
import { type Advice, closed, name, text } from './values.ts';

/** How a step may act; `service` is for those that restart, stop, start or kill one. */
export const policyDrivers = ['http', 'tcp', 'mcp', 'command', 'service'] as const;

/** An allowance for everything would be the end of the rule. */
const narrowGlob = text.refine((glob) => !/^(?:\.\/)?\*{1,2}(?:\/\*{1,2})*$/.test(glob), {
  error: 'a glob for certain files or modules, not for all of them',
  params: { code: 'config.bad-pattern', next: 'name the folder or the file that you mean' } satisfies Advice,
});

const allowance = (what: string, globs: string) =>
  closed(
    {
      allow: z.array(narrowGlob, 'a list of globs').min(1, 'at least one glob').describe(globs),
      because: text.describe('Why this is no shortcut past the system.'),
    },
    what,
  );

export const suiteDocument = closed(
  {
    drivers: z
      .array(z.enum(policyDrivers, policyDrivers.join(', ')), 'a list of drivers')
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
      .describe('Trials that may write to the data of the system past the system.')
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
