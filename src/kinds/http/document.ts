/** The keys of an `http` step. */
import { z } from 'zod';
import { commonStepKeys, texts } from '../kind/keys-of-all.ts';
import { closed, flag, listOf, text } from '../kind/values.ts';

const callRule = 'a method, a service and a path, such as `POST agent/ask`';

const part = closed(
  {
    name: text,
    text: z.string('a text').optional(),
    file: text.optional(),
    hex: z.string('hexadecimal digits').optional(),
    filename: text.optional(),
    type: text.optional(),
  },
  'a part',
);

export const httpDocument = closed(
  {
    http: z
      .string(callRule)
      .regex(/^[A-Z]+ [a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)?(?:[/?].*)?$/s, callRule)
      .describe('METHOD service/path'),
    json: z.unknown().describe('The body, as JSON.').optional(),
    text: z.string('a text').describe('The body, as plain text.').optional(),
    form: texts('a map of fields').describe('The body, as a form.').optional(),
    multipart: listOf(part, 'a list of parts', 'The body, in parts.'),
    body: closed({ file: text.optional(), hex: z.string('hexadecimal digits').optional() }, 'a body')
      .describe('The body, from a file beside the trial or as bytes.')
      .optional(),
    headers: texts('a map of headers').optional(),
    query: texts('a map of query parameters').optional(),
    redirect: flag('Follow redirects; they are evidence otherwise.'),
    ...commonStepKeys,
  },
  'an http step',
);
