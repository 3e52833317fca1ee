/** The keys of an `on` step. */
import { z } from 'zod';
import { commonStepKeys, stepName } from '../kind/keys-of-all.ts';
import { choice, closed, mark, whole } from '../kind/values.ts';

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
    receive: whole('a whole number', 0).describe('The number of messages to wait for.').optional(),
    end: choice(['half', 'full', 'reset', 'stay'], 'How the connection ends after that; `stay` when absent.'),
    signal: z
      .string('a signal such as SIGINT')
      .regex(/^SIG[A-Z0-9]+$/, 'a signal such as SIGINT')
      .describe('For a program: the signal to send.')
      .optional(),
    awaitExit: mark('For a program: wait until it has ended.'),
    ...commonStepKeys,
  },
  'an on step',
);
