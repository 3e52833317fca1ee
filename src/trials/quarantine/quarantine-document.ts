/** `shakedown/quarantine.yaml`, as written. */
import { z } from 'zod';
import { closed, text } from '../../kinds/kind/values.ts';
import { schemaText } from '../../system/schema-text.ts';

const dayRule = 'a day such as 2026-08-01';
const day = z
  .string(dayRule)
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: dayRule, abort: true })
  .refine(isDay, 'a day that is in the calendar, such as 2026-08-01');

const entryDocument = closed(
  {
    trial: text.describe('The id of a trial, or of one of its cases: `daemon/junk[not-hex]`.'),
    check: text.describe('Only this check may fail.').optional(),
    owner: text.describe('Who is responsible for it.'),
    reason: text.describe('Why it fails now and then, with a ticket.'),
    until: day.describe('The last day on which it counts; afterwards the run fails.'),
    since: day.describe('When it was put here.').optional(),
  },
  'an entry',
);

export const quarantineDocument = closed(
  { entries: z.array(entryDocument, 'a list of entries') },
  'the quarantine',
);

export type QuarantineDocument = z.infer<typeof quarantineDocument>;

/** The text of `schema/quarantine.schema.json`, for editors. */
export function quarantineSchemaText(): string {
  return schemaText(quarantineDocument, 'the quarantine');
}

/** JavaScript reads the 30th of February as the 2nd of March. */
function isDay(written: string): boolean {
  const at = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(written);
}
