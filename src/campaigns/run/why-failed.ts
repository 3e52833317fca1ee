/** Why a step failed while its attempt is still running, from the journal so far. */
import { judge } from '../../checks/judge/judge-attempt.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor } from '../../kernel/deadline.ts';

/** The journal is written with a little delay. */
export async function whyFailed(clock: Clock, folder: string, step: string): Promise<string> {
  const judged = await waitFor(clock, { withinMs: 1_000 }, async () => {
    const { events } = await readTrialJournal(folder).catch(() => ({ events: [] }));
    const isWritten = events.some((event) => event.type === 'step.ended' && event.step === step);
    return isWritten ? judge(events) : undefined;
  });
  return judged?.cause?.text ?? `step ${step} failed`;
}
