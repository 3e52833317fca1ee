/** `list_trials`: which trials the project declares. */
import { z } from 'zod';
import { openSystem } from '../../campaigns/session/open-system.ts';
import { counted } from '../../kernel/counted.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import type { Trial } from '../../trials/trial.ts';
import type { Piece } from '../answer/page.ts';
import { cursorArgument, defineTool, reads } from '../answer/tool.ts';

export const listTrials = defineTool({
  name: 'list_trials',
  title: 'List trials',
  description: 'Lists the trials of the project: id, title, tags, checks, file and line. Performs nothing.',
  input: z.strictObject({
    text: z.string().max(200).optional().describe('Only trials with this text in their id or title.'),
    tags: z.array(z.string().max(100)).max(20).default([]).describe('Only trials that have all of these.'),
    cursor: cursorArgument,
  }),
  annotations: reads,
  answer: async ({ text = '', tags }, { host }) => {
    const trials = await loadTrials(await openSystem(host));
    const wanted = text.toLowerCase();
    const found = trials.filter(
      ({ record: { id, title = '', tags: own } }) =>
        `${id}\n${title}`.toLowerCase().includes(wanted) && tags.every((tag) => own.includes(tag)),
    );
    return {
      says: [`${counted(found.length, 'trial')} of ${trials.length}:`],
      data: { declared: trials.length, found: found.length },
      own: found.map(pieceOf),
    };
  },
});

function pieceOf({ record }: Trial): Piece {
  const { id, title, file, line, kind, tags } = record;
  const checks = record.checks.map((check) => check.id);
  const notes = [
    ...(title === undefined ? [] : [title]),
    ...(tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]),
    // Those of a flow are known when it is performed.
    kind === 'yaml' ? `checks: ${checks.join(', ') || 'none'}` : 'a flow',
    `${file}:${line}`,
  ];
  return { text: `${id}  ${notes.join('; ')}`, data: { id, title, kind, file, line, tags, checks } };
}
