/** The keys of a `command` step. */
import { z } from 'zod';
import { commonStepKeys, serviceName, texts } from '../kind/keys-of-all.ts';
import { argv } from '../kind/targets.ts';
import { closed, mark, text } from '../kind/values.ts';

export const commandDocument = closed(
  {
    command: argv.describe('A program, started from outside: a list of texts, or one text for `sh -c`.'),
    stdin: z.string('a text').optional(),
    env: texts('a map of environment variables').optional(),
    cwd: text.describe('Relative to the trial’s file; with `in`, a folder in the container.').optional(),
    in: serviceName.describe('Inside of the container of this service.').optional(),
    stays: mark('It goes on under the step’s name; later steps act `on:` it.'),
    ...commonStepKeys,
  },
  'a command step',
);
