/** Checks over the whole journal, as written: agreement, order, correlation, blame. */
import { z } from 'zod';
import { edge, pattern, stepName } from '../../kinds/kind/keys-of-all.ts';
import { choice, closed, duration, text, whole } from '../../kinds/kind/values.ts';

const title = text.describe('What must be true, in words.').optional();
const where = pattern.describe('Only calls that match this.').optional();
const phase = choice(
  ['begin', 'end'],
  'Which moment of it counts: `end` of an exchange, `begin` of a call when absent.',
);

const receivedRule = 'the name of a tool, or { calls: edge, tool, where }';

const agree = closed(
  {
    agree: closed(
      {
        said: edge.describe('The edge on which the model speaks, in either direction.'),
        received: z
          .union(
            [text, closed({ calls: edge, tool: text.optional(), where }, 'what was received')],
            receivedRule,
          )
          .describe('The tool that is called, on any edge; or the calls of one edge.'),
        changed: text.describe('A check that must have held, too.').optional(),
      },
      'an agreement',
    ).describe('What the model said, the tool received, and a check saw, are the same.'),
    title,
  },
  'an agree check',
);

const momentRule = 'a moment: { exchange: step }, { calls: edge } or { never: edge }';
const moment = closed(
  {
    exchange: stepName.describe('A step of the trial.').optional(),
    calls: edge.describe('The first call on this edge that comes after the moment before.').optional(),
    never: edge.describe('No call on this edge between the moment before and the one after.').optional(),
    where,
    phase,
  },
  'a moment',
).refine(
  ({ exchange, calls, never }) => [exchange, calls, never].filter((key) => key !== undefined).length === 1,
  momentRule,
);

const order = closed(
  {
    order: z
      .array(moment, `a list of moments, each ${momentRule}`)
      .min(1, 'at least one moment')
      .describe('Each of these happened, and after the one before it.'),
    provenBy: text.describe('For `never`: a trial in which a call on the same edge was seen.').optional(),
    title,
  },
  'an order check',
);

/** The keys that name a place depend on its kind. */
const correlateDocument = (kinds: readonly string[], places: z.ZodRawShape) => {
  const part = closed(
    {
      ...places,
      column: text.describe('Of rows: the column that must hold it.').optional(),
      where,
    },
    'a place',
  ).refine(
    (written: Readonly<Record<string, unknown>>) =>
      kinds.filter((kind) => written[kind] !== undefined).length === 1,
    `one of ${kinds.join(', ')}`,
  );
  return closed(
    {
      correlate: closed(
        {
          id: z
            .unknown()
            .refine((id) => id !== undefined && id !== null, 'a text or a number, usually a reference')
            .describe('The id to find, such as `${accepted.result.session}`.'),
          through: z
            .array(part, 'a list of places')
            .min(1, 'at least one place')
            .describe('Each of these must show it.'),
        },
        'a correlation',
      ).describe('One id is found in every place through which it must have gone.'),
      within: duration.describe('How long the places are given.').optional(),
      title,
    },
    'a correlate check',
  );
};

const ruleRule = '1, 2, 3, 4, 5 or ladder';
const blame = closed(
  {
    blame: closed(
      {
        party: text.describe('A service, a resource, a model, a third party.'),
        edge: edge.describe('Where it shows.').optional(),
        rule: z.union([whole(ruleRule, 1, 5), z.literal('ladder')], ruleRule).optional(),
      },
      'a blame',
    ).describe('Who is to blame for what went wrong in the attempt.'),
    title,
  },
  'a blame check',
);

export function derivedChecks(placeKinds: readonly string[], places: z.ZodRawShape) {
  const correlate = correlateDocument(placeKinds, places);
  return {
    agree: { document: agree },
    order: { document: order },
    correlate: { document: correlate },
    blame: { document: blame },
  };
}
