/** A file of requirements, as written: a list of entries, or a map with the list under `requirements`. */
import { z } from 'zod';
import { closed, text } from '../kinds/kind/values.ts';
import { normalPriority } from './priority.ts';
import { requirementLimits } from './requirement.ts';

const idRule = 'an id of letters, digits, -, _, ., : and /, such as `INT-001`';
export const idPattern = /^[A-Za-z0-9][\w.:/-]*$/;

const id = z
  .string(idRule)
  .regex(idPattern, idRule)
  .max(requirementLimits.idChars, `an id of at most ${requirementLimits.idChars} characters`);

const filled = text.refine((written) => written.trim() !== '', 'a text that is not empty');
const priorityRule = 'a priority such as `p0`, `p1` or `p2`';
const mostRule = `at most ${requirementLimits.requirements} requirements`;

const entry = closed(
  {
    id: id.describe('Unique; trials name it under `covers`.'),
    title: filled.describe('A few words.').optional(),
    text: filled.describe('What must be true.'),
    priority: z
      .string(priorityRule)
      .refine((written) => normalPriority(written) !== undefined, priorityRule)
      .describe('`p0` is the highest. A trial without a priority has the highest of what it covers.')
      .optional(),
    failPath: z
      .boolean('true or false')
      .describe('A trial that covers it must show the failing side, too: a refusal, an error, an absence.')
      .optional(),
    source: filled
      .describe('Where it comes from: `spec.md#section` or `spec.md:Heading`, relative to this file.')
      .optional(),
    deferred: closed(
      {
        reason: filled.describe('Why it is not shown yet.'),
        until: filled.describe('A day such as `2026-12-31`, or a milestone in words.').optional(),
      },
      'a deferral',
    )
      .describe('Known and not shown yet, for a reason.')
      .optional(),
    dependsOn: z
      .array(id, 'a list of requirement ids')
      .describe('Pending until these are covered and green.')
      .optional(),
    method: filled.describe('How it is to be shown.').optional(),
    antiPattern: filled.describe('What would look like a proof, but is not one.').optional(),
  },
  'a requirement',
);

const entries = z.array(entry, 'a list of requirements').max(requirementLimits.requirements, mostRule);

export const requirementsDocument = z.union(
  [entries, closed({ requirements: entries }, 'the file of requirements')],
  'a list of requirements, or a map with the key requirements',
);

export type RequirementsDocument = z.input<typeof requirementsDocument>;

/** The text of `schema/requirements.schema.json`. */
export function requirementsSchemaText(): string {
  const schema = z.toJSONSchema(requirementsDocument, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
  });
  const { $schema, ...rest } = schema;
  return `${JSON.stringify({ $schema, title: 'Shakedown: requirements', ...rest }, null, 2)}\n`;
}
