/** Who is to blame, by which rule, and the exchanges that prove it. */
import type { Blame } from '../../checks/blame/blame.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { eventsOf } from './attempt-parts.ts';
import { type Line, labelled, line } from './line.ts';
import { storyLimits } from './story-limits.ts';
import { drawCalls } from './tell-calls.ts';

export function tellBlame(
  blame: Blame | null,
  events: readonly AttemptEvent[],
  columns: number,
): readonly Line[] {
  if (!blame) return [];
  const { party, because, evidence } = blame;
  if (party === null) return labelled('    ', `nobody can be named: ${because}`, columns, 'yellow', 6);
  const calls = eventsOf(events, 'call').filter(({ seq }) => evidence.includes(seq));
  const shown = calls.slice(0, storyLimits.provenBy);
  const untold = calls.length - shown.length;
  return [
    ...labelled('    ', `${party}: ${because}`, columns, 'red', 6),
    ...(shown.length === 0 ? [] : [line('    proven by')]),
    ...drawCalls(shown, events, columns),
    ...(untold > 0 ? [line(`      … and ${untold} more, all in the journal`, 'dim')] : []),
  ];
}

/** In a few words, for one line of a CI system. */
export function blameInWords(blame: Blame | null): string {
  return blame?.party == null ? '' : `${blame.party} is to blame: ${blame.because}`;
}
