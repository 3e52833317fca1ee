/** `why_failed`: the short story of a trial of a stored run, and the events that are its evidence. */
import { z } from 'zod';
import { judgedBadly, type TrialVerdict } from '../../checks/verdict.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { formatTrial } from '../../report/terminal/format-trial.ts';
import { eventTitle } from '../answer/event-title.ts';
import { factsOf, sayFacts } from '../answer/facts.ts';
import { piecesOf } from '../answer/page.ts';
import { eventsIfReadable, storedTrial } from '../answer/stored.ts';
import { cursorArgument, defineTool, reads, runArgument, trialArgument } from '../answer/tool.ts';

export const whyFailed = defineTool({
  name: 'why_failed',
  title: 'Why did a trial fail',
  description:
    'Of one trial of a stored run: the cause, the checks that did not hold with what they expected and what was observed, who is to blame and why, the command that shows it again, and the numbers of the events that prove it.',
  input: z.strictObject({ run: runArgument, trial: trialArgument, cursor: cursorArgument }),
  annotations: reads,
  answer: async ({ run, trial: id }, context) => {
    const stored = await storedTrial(context, run, id);
    const { verdict, trial } = stored;
    const events = await eventsIfReadable(context, stored);
    const facts = factsOf(trial);
    const titles = proofOf(trial, events);
    const isBad = judgedBadly(trial.verdict);
    return {
      says: [
        `Run ${verdict.run}.`,
        ...sayFacts(facts),
        ...(titles.length === 0
          ? []
          : ['Events that are evidence; ask for them with `evidence`:', ...titles]),
        ...(isBad ? [] : ['It did not fail, so there is no more to tell.']),
      ],
      data: { run: verdict.run, ...facts, events: titles },
      ...(isBad ? { evidence: piecesOf(storyOf(trial, events)) } : {}),
    };
  },
});

function proofOf({ checks, blame }: TrialVerdict, events: readonly AttemptEvent[]): readonly string[] {
  const bad = checks.filter(({ verdict }) => judgedBadly(verdict));
  const named = new Set([...bad.flatMap(({ evidence }) => evidence), ...(blame?.evidence ?? [])]);
  return events
    .filter(({ seq }) => named.has(seq))
    .slice(0, mostTitles)
    .map(eventTitle);
}

const mostTitles = 30;

/** As `run` prints it, and all that the checks have to say, which a terminal has no room for. */
function storyOf(trial: TrialVerdict, events: readonly AttemptEvent[]): string {
  const details = trial.checks
    .filter(({ verdict }) => judgedBadly(verdict))
    .map(({ id, expected, observed, explanation, mismatches }) =>
      JSON.stringify({ check: id, expected, observed, explanation, mismatches }, undefined, 1),
    );
  return [...formatTrial(trial, events, {}), ...details].join('\n');
}
