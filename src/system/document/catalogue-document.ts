/** The catalogue of high-risk trials, as written: what users do where much can go wrong, and which trials show that it does not. */
import { z } from 'zod';
import { closed, listOf, text } from '../../kinds/kind/values.ts';
import { boundaryId } from './boundaries-document.ts';

const idRule = 'an id of lower-case letters, digits, -, _ and .';

/** A missing text is a finding of `lint`, not a schema error. */
const words = z.union([z.string(), z.null()], 'a text').optional();

const riskDocument = closed(
  {
    id: z
      .string(idRule)
      .regex(/^[a-z0-9][a-z0-9._-]*$/, idRule)
      .max(80, idRule)
      .describe('Unique in the catalogue.'),
    userAction: words.describe('What the user does.'),
    boundary: z
      .union(
        [boundaryId, z.array(boundaryId, 'a list of boundaries')],
        'a boundary of the registry, or a list',
      )
      .describe('The boundary at which it can go wrong.')
      .optional(),
    risk: words.describe('What would happen.'),
    evidence: words.describe('What shows that it did not: the observation that must be there.'),
    owner: words.describe('Who is responsible for it.'),
    trials: listOf(text, 'a list of trials', 'Ids of the trials that show it.'),
  },
  'an entry',
);

export const catalogueDocument = closed(
  { risks: z.array(riskDocument, 'a list of entries').min(1, 'at least one entry') },
  'the catalogue',
);

export type CatalogueDocument = z.input<typeof catalogueDocument>;
export type RiskDocument = z.input<typeof riskDocument>;
