/** A disturbance of an edge, as written: which exchanges it applies to, and one fault. */
import { z } from 'zod';
import { edge } from '../../kinds/kind/keys-of-all.ts';
import { type Advice, closed, duration, text } from '../../kinds/kind/values.ts';

const numberRule = 'a whole number from 1';
const nth = z.int(numberRule).min(1, numberRule);
const fromZeroRule = 'a whole number from 0';

const placeRule = 'one of head, byte, event, inside, argumentDelta, textDelta';
const place = closed(
  {
    head: z.literal(true, 'true').describe('After the head, before the first byte of the body.').optional(),
    byte: z.int(fromZeroRule).min(0, fromZeroRule).describe('After this many bytes of the body.').optional(),
    event: z
      .union([nth, z.literal('finish')], 'the number of an event, or finish')
      .describe('Before the n-th event; `finish`: before the one that says why the turn ended.')
      .optional(),
    inside: text.describe('Inside of the first occurrence of this character, between its bytes.').optional(),
    argumentDelta: nth.describe('Inside of the n-th fragment of a tool’s arguments.').optional(),
    textDelta: nth.describe('Inside of the n-th fragment of text.').optional(),
  },
  'a place in an answer',
).refine((written) => Object.keys(written).length === 1, placeRule);

const statusRule = 'a status from 200 to 599';

export const faultDocuments = {
  delay: z.union(
    [
      duration,
      closed(
        {
          for: duration.describe('How long.'),
          of: z
            .enum(['request', 'response', 'event'], 'request, response or event')
            .describe('What is late; `response` when absent.')
            .optional(),
          jitter: duration.describe('A random extra delay, up to this.').optional(),
        },
        'a delay',
      ),
    ],
    'a duration, or { for, of, jitter }',
  ),
  cut: closed(
    {
      at: place.describe('Where in the answer.'),
      by: z
        .enum(['fin', 'reset'], 'fin or reset')
        .describe('Graceful (`fin`) or abrupt (`reset`); `fin` when absent.')
        .optional(),
    },
    'a cut',
  ),
  hold: closed(
    {
      at: place.describe('Where in the answer.').optional(),
      for: duration.describe('How long; for ever when absent.').optional(),
    },
    'a hold',
  ),
  answer: closed(
    {
      status: z.int(statusRule).min(200, statusRule).max(599, statusRule),
      headers: z.record(z.string(), z.string('a text'), 'a map of headers').optional(),
      json: z.unknown().optional(),
      text: z.string('a text').optional(),
      forward: z
        .boolean('true or false')
        .describe('The provider is called all the same, and its answer is discarded.')
        .optional(),
    },
    'an answer',
  ),
  duplicate: z.union([z.literal('request'), closed({ event: nth }, 'an event')], 'request, or { event: 2 }'),
  drop: closed({ event: nth }, 'an event'),
  reorder: z.array(nth, 'two numbers of events').length(2, 'two numbers of events'),
  shape: text,
} as const;

export type FaultKind = keyof typeof faultDocuments;
export const faultKinds = Object.keys(faultDocuments) as readonly FaultKind[];

const described: Readonly<Record<FaultKind, string>> = {
  delay: 'The exchange takes longer.',
  cut: 'The answer ends under way.',
  hold: 'The answer stops under way, in silence.',
  answer: 'This instead of the provider’s answer.',
  duplicate: 'The provider gets the request twice, or the consumer an event.',
  drop: 'An event is left out.',
  reorder: 'Two events change places.',
  shape: 'The same answer in a shape of the corpus, such as `C07`, or `plain`.',
};

export const disturbDocument = closed(
  {
    edge: edge.describe('The edge whose exchanges are disturbed.'),
    crossing: z
      .union([nth, z.array(nth, 'a list of numbers')], 'a number, or a list of numbers')
      .describe('The n-th exchange from the first step on; every one when absent.')
      .optional(),
    where: closed(
      {
        method: text.optional(),
        path: text.describe('`*` matches any characters.').optional(),
        rpc: text.describe('The method of JSON-RPC, such as `tools/call`.').optional(),
      },
      'a selection',
    )
      .describe('Only matching exchanges; only these are counted.')
      .optional(),
    ...(Object.fromEntries(
      faultKinds.map((kind) => [kind, faultDocuments[kind].describe(described[kind]).optional()]),
    ) as { [Kind in FaultKind]: z.ZodOptional<(typeof faultDocuments)[Kind]> }),
  },
  'a disturbance',
).superRefine((written, context) => {
  const given = faultKinds.filter((kind) => written[kind] !== undefined);
  if (given.length === 1) return;
  const params: Advice =
    given.length === 0
      ? { what: 'it sets no fault', next: 'add `cut`, for instance', absence: true }
      : { what: `it sets ${given.join(' and ')}`, next: 'split it into two disturbances' };
  context.addIssue({ code: 'custom', message: `one of ${faultKinds.join(', ')}`, params });
});

export type DisturbDocument = z.input<typeof disturbDocument>;
