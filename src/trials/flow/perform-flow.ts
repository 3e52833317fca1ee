/** Performs a flow: its code runs in a process of its own, and asks us to act and to look. */
import type { Attempt } from '../perform/attempt.ts';
import type { Ending } from '../perform/perform.ts';

export async function performFlow(attempt: Attempt): Promise<Ending> {
  return { end: 'flow-failed', because: `${attempt.trial.record.id}: not yet` };
}
