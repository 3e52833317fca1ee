/** The keys of a `tcp` step. */
import { commonStepKeys } from '../kind/keys-of-all.ts';
import { target } from '../kind/targets.ts';
import { closed, text } from '../kind/values.ts';

export const tcpDocument = closed(
  {
    tcp: target.describe('Opens a connection that stays open under the step’s name.'),
    codec: text
      .describe('How messages are framed: hex6-sexp, newline-json, content-length-json, or ./my-codec.ts.')
      .optional(),
    ...commonStepKeys,
  },
  'a tcp step',
);
