/** A disturbance of an edge, as written: which exchanges it applies to, and one fault. */
import { z } from 'zod';
import { edge } from '../../kinds/kind/keys-of-all.ts';
import {
  type Advice,
  choice,
  closed,
  duration,
  flag,
  issueOf,
  mark,
  text,
  whole,
} from '../../kinds/kind/values.ts';

const numberRule = 'a whole number from 1';
const nth = whole(numberRule, 1);
const fromZeroRule = 'a whole number from 0';

const placeRule = 'one of head, byte, event, inside, argumentDelta, textDelta';
const place = closed(
  {
    head: mark('After the head, before the first byte of the body.'),
    byte: whole(fromZeroRule, 0).describe('After this many bytes of the body.').optional(),
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
  delay: z
    .union(
      [
        duration,
        closed(
          {
            for: duration.describe('How long.'),
            of: choice(['request', 'response', 'event'], 'What is late; `response` when absent.'),
            jitter: duration.describe('A random extra delay, up to this.').optional(),
          },
          'a delay',
        ),
      ],
      'a duration, or { for, of, jitter }',
    )
    .describe('The exchange takes longer.'),
  cut: closed(
    {
      at: place.describe('Where in the answer.'),
      by: choice(['fin', 'reset'], 'Graceful (`fin`) or abrupt (`reset`); `fin` when absent.'),
    },
    'a cut',
  ).describe('The answer ends under way.'),
  hold: closed(
    {
      at: place.describe('Where in the answer.').optional(),
      for: duration.describe('How long; for ever when absent.').optional(),
    },
    'a hold',
  ).describe('The answer stops under way, in silence.'),
  answer: closed(
    {
      status: whole(statusRule, 200, 599),
      headers: z.record(z.string(), z.string('a text'), 'a map of headers').optional(),
      json: z.unknown().optional(),
      text: z.string('a text').optional(),
      forward: flag('The provider is called all the same, and its answer is discarded.'),
    },
    'an answer',
  ).describe('This instead of the provider’s answer.'),
  duplicate: z
    .union([z.literal('request'), closed({ event: nth }, 'an event')], 'request, or { event: 2 }')
    .describe('The provider gets the request twice, or the consumer an event.'),
  drop: closed({ event: nth }, 'an event').describe('An event is left out.'),
  reorder: z
    .array(nth, 'two numbers of events')
    .length(2, 'two numbers of events')
    .describe('Two events change places.'),
  shape: text.describe('The same answer in a shape of the corpus, such as `C07`, or `plain`.'),
} as const;

export type FaultKind = keyof typeof faultDocuments;
export const faultKinds = Object.keys(faultDocuments) as readonly FaultKind[];

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
    ...(Object.fromEntries(faultKinds.map((kind) => [kind, faultDocuments[kind].optional()])) as {
      [Kind in FaultKind]: z.ZodOptional<(typeof faultDocuments)[Kind]>;
    }),
  },
  'a disturbance',
).superRefine((written, context) => {
  const given = faultKinds.filter((kind) => written[kind] !== undefined);
  if (given.length === 1) return;
  const params: Advice =
    given.length === 0
      ? { what: 'it sets no fault', next: 'add `cut`, for instance', absence: true }
      : { what: `it sets ${given.join(' and ')}`, next: 'split it into two disturbances' };
  context.addIssue(issueOf(`one of ${faultKinds.join(', ')}`, params));
});

export type DisturbDocument = z.input<typeof disturbDocument>;
