/** Values and keys of a trial file that several kinds share. */
import { z } from 'zod';
import { limits } from '../../kernel/limits.ts';
import { edgePattern } from './edge-pattern.ts';
import { duration, mark, name, text, whole } from './values.ts';

const stepNameRule = 'a name of letters, digits, - and _, beginning with a letter';
/** The name of a step's result, used in `${…}`. */
export const stepName = z.string(stepNameRule).regex(/^[A-Za-z][\w-]*$/, stepNameRule);

export const pattern = z.unknown();

/** Of checks that show a list. */
export const where = pattern.describe('Only elements that match this.').optional();

export const texts = (what: string) =>
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean()], 'a text'), what);

const edgeRule = 'an edge such as `switchboard -> health`; `*` matches any end';
export const edge = z.string(edgeRule).regex(edgePattern, edgeRule);

/** The keys of every step. */
export const commonStepKeys = {
  as: stepName.describe('The name of the result, for `${name.…}` and `exchange: name`.').optional(),
  title: text.describe('What the step is for, in words.').optional(),
  expect: pattern.describe('A pattern for the result; the attempt ends when it does not hold.').optional(),
  rung: text.describe('The rung of a ladder that the step is; usually the party that answers it.').optional(),
  timeout: duration.describe('How long the step may take; `10s` when absent.').optional(),
  within: duration.describe('The same as `timeout`.').optional(),
  when: z
    .record(z.string(), z.unknown(), 'a check, such as { rows: …, expect: …, within: 5s }')
    .describe('Act only once this holds: a check, usually with `within`.')
    .optional(),
  burst: whole('a whole number from 2 to 1000', 2, limits.burst)
    .describe('How many at once, behind one barrier; the result is `{ answers: […] }`.')
    .optional(),
};

/** The keys of every check. */
export const commonCheckKeys = {
  title: text.describe('What must be true, in words.').optional(),
  expect: pattern.describe('A pattern for what is seen.').optional(),
  count: pattern.describe('How many elements there must be; a number or a pattern.').optional(),
  never: pattern
    .describe('A pattern that must match at no moment from the first step to the end.')
    .optional(),
  within: duration.describe('It must hold at some moment, at most this long after the last step.').optional(),
  throughout: mark('It must hold at every moment, not only at the end.'),
  golden: mark('What is seen must be what was accepted before.'),
  provenBy: text
    .describe('For an absence: a trial in which the same observer, at the same source, sees something.')
    .optional(),
};

export const serviceName = name;
