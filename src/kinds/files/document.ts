/** The keys of a `files` check. */
import { z } from 'zod';
import { commonCheckKeys, where } from '../kind/keys-of-all.ts';
import { closed, text } from '../kind/values.ts';

export const filesDocument = closed(
  {
    files: text.describe(
      'A service, for its own folder, a volume, or a folder relative to the config (`./out`).',
    ),
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
);

/** As a place of a `correlate` check. */
export const filesPlace = {
  files: text.optional(),
  path: text.describe('Of files: a glob.').optional(),
};
