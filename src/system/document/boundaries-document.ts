/** The registry of boundaries, as written: where data crosses into what the system does not control, and what is promised there. */
import { z } from 'zod';
import { closed, listOf, text } from '../../kinds/kind/values.ts';

const idRule = 'an id of lower-case letters, digits, - and ., such as `gateway-sse`';
export const boundaryId = z
  .string(idRule)
  .regex(/^[a-z0-9][a-z0-9.-]*$/, idRule)
  .max(80, idRule);

const globs = (what: string) => z.array(text, 'a list of globs').describe(what);

const statuses = ['missing', 'partial', 'covered'] as const;
const status = z.enum(statuses, statuses.join(', '));

/** A missing text is a finding of `lint`, not a schema error. */
const words = z.union([z.string(), z.null()], 'a text').optional();

const boundaryDocument = closed(
  {
    id: boundaryId.describe('Unique in the registry; trials say `attacks: { boundary: <id> }`.'),
    title: text.describe('What it is, in a few words.').optional(),
    sources: globs('The files in which it lives, relative to the config file.').optional(),
    bounded: words.describe('What can be known of the data: schemas, statuses, tokens, limits.'),
    unbounded: words.describe('What cannot: timing, sizes, orders, extra fields, garbage.'),
    invalid: words.describe('Tier 1, the contract for what is not legal: how it is contained.'),
    valid: words.describe('Tier 2, the contract for every legal shape: what comes out.'),
    layer: words.describe('By which means it is attacked: trials, fuzzing, properties, corpora, simulators.'),
    owner: words.describe('Who is responsible for it.'),
    tiers: closed({ 1: status.optional(), 2: status.optional() }, 'tiers')
      .describe('What the trials show of each tier: missing, partial or covered.')
      .optional(),
    trials: listOf(
      text,
      'a list of trials',
      'Ids or globs of ids, `tag:NAME`, `covers:ID`; those that say `attacks` belong to it anyway.',
    ),
  },
  'a boundary',
);

export const boundariesDocument = closed(
  {
    folders: globs('Folders of boundaries: each file in them belongs to a boundary.').optional(),
    except: globs('Files in those folders that are none, such as `**/*.test.ts`.').optional(),
    boundaries: z.array(boundaryDocument, 'a list of boundaries').min(1, 'at least one boundary'),
  },
  'the registry of boundaries',
);

export type BoundariesDocument = z.input<typeof boundariesDocument>;
export type BoundaryDocument = z.input<typeof boundaryDocument>;
