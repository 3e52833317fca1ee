/** Every kind of check, as written: the key that says what is looked at, and the keys that may stand beside it. */
import { z } from 'zod';
import { closed, expression, text } from '../../system/document/values.ts';
import { derivedCheckDocuments } from './derived-check-documents.ts';
import { commonCheckKeys, edge, pattern, serviceName, stepName } from './step-and-check-keys.ts';

const tableRule =
  'a service and a table, such as `health.symptoms`; `*` stands for any, `!health.*` for all but those of health';
const table = z.string(tableRule).regex(/^(?:\*|!?[a-z][a-z0-9-]*)(?:\.(?:\*|[^\s.*!{}]+)){1,2}$/, tableRule);
const where = pattern.describe('Only elements that match this.').optional();
const kinds = ['rows', 'files', 'calls'] as const;

export const checkDocuments = {
  exchange: closed(
    { exchange: stepName.describe('The result of the step with this name.'), ...commonCheckKeys },
    'an exchange check',
  ),
  calls: closed(
    { calls: edge.describe('What crossed an edge, as its tap saw it.'), where, ...commonCheckKeys },
    'a calls check',
  ),
  rows: closed(
    {
      rows: table.describe('Rows of a table, in the service’s own place.'),
      where,
      columns: z.array(text, 'a list of columns').optional(),
      orderBy: text.optional(),
      ...commonCheckKeys,
    },
    'a rows check',
  ),
  files: closed(
    {
      files: text.describe('A service, for its own folder, or a folder relative to the config (`./out`).'),
      path: text
        .describe(
          'A glob below it; `**` when absent. `home:` and `tmp:` select the other folders of a service.',
        )
        .optional(),
      as: z
        .enum(
          ['text', 'json', 'yaml', 'markdown', 'xml', 'image', 'hash'],
          'text, json, yaml, markdown, xml, image or hash',
        )
        .optional(),
      where,
      ...commonCheckKeys,
    },
    'a files check',
  ),
  logs: closed({ logs: serviceName, match: expression.optional(), ...commonCheckKeys }, 'a logs check'),
  events: closed(
    {
      events: serviceName,
      file: text.describe('A JSON-lines file in the service’s folder.'),
      where,
      ...commonCheckKeys,
    },
    'an events check',
  ),
  process: closed({ process: serviceName, ...commonCheckKeys }, 'a process check'),
  spans: closed(
    {
      spans: text.describe('Spans of this sender, by its `service.name`; `*` is any.'),
      name: text.describe('Only spans of this name; `*` stands for any characters.').optional(),
      where,
      ...commonCheckKeys,
    },
    'a spans check',
  ),
  ...derivedCheckDocuments,
  changes: closed(
    {
      changes: z
        .array(z.enum(kinds, kinds.join(', ')), 'a list of kinds')
        .min(1, `at least one of ${kinds.join(', ')}`),
      only: z
        .array(text, 'a list of checks')
        .describe('Each change must be claimed by one of these checks.')
        .optional(),
      ...commonCheckKeys,
    },
    'a changes check',
  ),
} as const;

export type CheckKind = keyof typeof checkDocuments;
export const checkKinds = Object.keys(checkDocuments) as readonly CheckKind[];
