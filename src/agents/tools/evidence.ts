/** `evidence`: events of the journal of a trial, whole, or the list of them. */
import { z } from 'zod';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { counted } from '../../kernel/counted.ts';
import { edgeName } from '../../kernel/edge-name.ts';
import { eventTitle } from '../answer/event-title.ts';
import { piecesOf } from '../answer/page.ts';
import { eventsOf, storedTrial } from '../answer/stored.ts';
import { cursorArgument, defineTool, reads, runArgument, trialArgument } from '../answer/tool.ts';

const input = z.strictObject({
  run: runArgument,
  trial: trialArgument,
  seq: z.array(z.int().min(0)).max(100).optional().describe('Numbers of events, as `why_failed` names them.'),
  type: z
    .string()
    .max(60)
    .optional()
    .describe('A type of event, such as `call`, `step.ended`, `probe.sampled`.'),
  edge: z.string().max(200).optional().describe('An edge, such as `shop -> bank`.'),
  cursor: cursorArgument,
});

export const evidence = defineTool({
  name: 'evidence',
  title: 'Read evidence',
  description:
    'Reads what was recorded while a trial was performed: requests, answers, rows, log lines, as JSON. Without `seq`, `type` and `edge` it lists the events.',
  input,
  annotations: reads,
  answer: async ({ run, trial, seq, type, edge }, context) => {
    const stored = await storedTrial(context, run, trial);
    const events = await eventsOf(context, stored);
    const about = { run: stored.verdict.run, trial, events: events.length };
    if (seq === undefined && type === undefined && edge === undefined)
      return {
        says: [`${counted(events.length, 'event')} of ${trial} in run ${about.run}:`],
        data: about,
        own: events.map((event) => ({ text: eventTitle(event), data: eventTitle(event) })),
      };
    const found = events.filter((event) => fits(event, { seq, type, edge }));
    const types = [...Map.groupBy(events, (event) => event.type)].map(
      ([name, all]) => `${name} (${all.length})`,
    );
    return {
      says: [
        `${counted(found.length, 'event')} of ${events.length} of ${trial} in run ${about.run}.`,
        ...(found.length === 0 ? [`Types that are there: ${types.join(', ')}.`] : []),
      ],
      data: { ...about, found: found.length },
      evidence: found.flatMap((event) => piecesOf(`${JSON.stringify(event, undefined, 1)}\n`)),
    };
  },
});

function fits(
  event: AttemptEvent,
  { seq, type, edge }: Pick<z.output<typeof input>, 'seq' | 'type' | 'edge'>,
): boolean {
  const { from, to } = event as { readonly from?: unknown; readonly to?: unknown };
  return (
    (seq === undefined || seq.includes(event.seq)) &&
    (type === undefined || type === event.type) &&
    (edge === undefined || edgeName(edge) === `${from} -> ${to}`)
  );
}
