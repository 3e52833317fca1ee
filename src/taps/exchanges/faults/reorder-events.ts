/** The fault that swaps two events of a stream; those between them wait for the later one. */
import type { EditAbout, ExchangeEdit } from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';
import { editedEvents } from './edited-events.ts';

export function reorderEvents(events: readonly [number, number], about: EditAbout): ExchangeEdit {
  const [early, late] = events[0] < events[1] ? events : [events[1], events[0]];
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let isOver = early === late;
  const takeKept = (): Buffer[] => {
    const all = kept;
    kept = [];
    isOver = true;
    return all;
  };
  const keep = (raw: Buffer): readonly Buffer[] => {
    kept.push(raw);
    keptBytes += raw.length;
    const isMuch = keptBytes > exchangeLimits.responseBytes || kept.length > exchangeLimits.keptEvents;
    return isMuch ? takeKept() : [];
  };
  return editedEvents(about, {
    edit: (raw, event) => {
      const isBefore = kept.length === 0 && event?.number !== early;
      if (isOver || isBefore) return [raw];
      if (event?.number !== late) return keep(raw);
      const [first = Buffer.alloc(0), ...between] = takeKept();
      return [raw, ...between, first, { do: 'felt', what: `events ${early} and ${late} were swapped` }];
    },
    rest: takeKept,
  });
}
