/** The party to blame, by which rule, and the exchanges that prove it. */
import type { Blame } from '../../checks/blame/blame.ts';
import { type AttemptEvent, eventsOf } from '../../journal/trial-event.ts';
import { drawCalls } from './format-calls.ts';
import { item, type Line, line } from './line.ts';
import { storyLimits } from './story-limits.ts';

export function formatBlame(
  blame: Blame | null,
  events: readonly AttemptEvent[],
  columns: number,
): readonly Line[] {
  if (!blame) return [];
  const { party, suspect, because, evidence } = blame;
  const who = suspect === undefined ? 'no party can be named' : `${suspect} is suspected, not proven`;
  if (party === null) return [item('    ', `${who}: ${because}`, 'yellow', 6)];
  const calls = eventsOf(events, 'call').filter(({ seq }) => evidence.includes(seq));
  const shown = calls.slice(0, storyLimits.provenBy);
  const omitted = calls.length - shown.length;
  return [
    item('    ', `${party}: ${because}`, 'red', 6),
    ...(shown.length === 0 ? [] : [line('    proven by')]),
    ...drawCalls(shown, events, columns),
    ...(omitted > 0 ? [line(`      … and ${omitted} more, all in the journal`, 'dim')] : []),
  ];
}

/** In a few words, for one line in a CI system. */
export function blameText(blame: Blame | null): string {
  return blame?.party == null ? '' : `${blame.party} is to blame: ${blame.because}`;
}
