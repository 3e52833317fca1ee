/** Keys about a trial's place in the suite: which boundary it attacks, and which `lint` findings are intended. */
import { z } from 'zod';
import { closed, text } from '../../kinds/kind/values.ts';
import { boundaryId } from '../../system/document/boundaries-document.ts';

/** Findings that a trial may cause on purpose. */
export const allowableFindings = [
  'sleep',
  'direct-write',
  'exact-model-text',
  'unknown-endpoint',
  'unknown-tool',
  'tool-arguments',
  'unknown-table',
  'unknown-column',
] as const;

const attack = closed(
  {
    boundary: boundaryId.describe('The id of a boundary of the registry.'),
    tier: z
      .literal([1, 2], '1 for what is not legal, 2 for every legal shape')
      .describe('1: illegal input is contained; 2: every legal shape has the same result.'),
  },
  'an attack',
);

const attacksRule = '{ boundary: id, tier: 1 or 2 }, or a list of these';

export const suiteKeys = {
  attacks: z
    .union([attack, z.array(attack, 'a list of attacks').min(1, 'at least one attack')], attacksRule)
    .describe('The boundary, and the tier of its contract, that it tests.')
    .optional(),
  lint: closed(
    {
      allow: z
        .array(z.enum(allowableFindings, allowableFindings.join(', ')), 'a list of kinds of findings')
        .min(1, 'at least one kind')
        .describe('The kinds of findings that are intended here.'),
      because: text.describe('Why it is intended.'),
    },
    'lint',
  )
    .describe('Findings of `lint` that this trial makes on purpose.')
    .optional(),
};
