/** What the trial did to edges, as its consumers felt it. */
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { eventsOf } from './attempt-parts.ts';
import { type Line, labelled, line } from './line.ts';
import { storyLimits } from './story-limits.ts';

export function formatDisturbances(events: readonly AttemptEvent[], columns: number): readonly Line[] {
  const felt = eventsOf(events, 'disturbance.felt');
  const shown = felt.slice(0, storyLimits.disturbances);
  return [
    ...shown.flatMap(({ from, to, disturbance, what }) =>
      labelled('    ', `${from} -> ${to}  ${disturbance}: ${what}`, columns, 'yellow'),
    ),
    ...(felt.length > shown.length ? [line(`    … and ${felt.length - shown.length} more`, 'dim')] : []),
  ];
}
