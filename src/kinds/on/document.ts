/** The keys of an `on` step. */
import { z } from 'zod';
import { commonStepKeys, stepName } from '../kind/keys-of-all.ts';
import { closed } from '../kind/values.ts';

export const onDocument = closed(
  {
    on: stepName.describe('The step that opened the connection.'),
    send: z
      .unknown()
      .describe('A message, framed by the codec; for a program, text for its standard input.')
      .optional(),
    sendRaw: z
      .unknown()
      .describe(
        'Bytes: { text }, { hex }, { file } or { repeat, bytes }, with `pause` and `then`; or a list.',
      )
      .optional(),
    receive: z
      .int('a whole number')
      .min(0, 'a whole number')
      .describe('The number of messages to wait for.')
      .optional(),
    end: z
      .enum(['half', 'full', 'reset', 'stay'], 'half, full, reset or stay')
      .describe('How the connection ends after that; `stay` when absent.')
      .optional(),
    signal: z
      .string('a signal such as SIGINT')
      .regex(/^SIG[A-Z0-9]+$/, 'a signal such as SIGINT')
      .describe('For a program: the signal to send.')
      .optional(),
    awaitExit: z.literal(true, 'true').describe('For a program: wait until it has ended.').optional(),
    ...commonStepKeys,
  },
  'an on step',
);
