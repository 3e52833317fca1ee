/** Forwards a response up to a place in it, and no further before something was done there. */
import type { ResponseHead } from '../../../protocols/http/http-message.ts';
import type { EditedPart, ExchangeEdit, Move, Part } from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';
import type { Place } from '../exchange-rule.ts';
import { PartQueue } from '../part-queue.ts';
import { type PlaceFinder, type Progress, placeFinder } from '../places/place-finder.ts';

/** The bytes up to the place and after it stay as they are. A response without such a place, or that ends there, passes. */
export function stopAt(place: Place, reached: (where: string) => readonly Move[]): ExchangeEdit {
  const queue = new PartQueue();
  let finder: PlaceFinder | undefined;
  const letGo = (): readonly Part<ResponseHead>[] => {
    finder = undefined;
    return queue.takeAll();
  };
  const after = ({ bytes, found, gaveUp }: Progress, isLast = false): readonly EditedPart<ResponseHead>[] => {
    const parts = queue.take(bytes);
    if (isLast && queue.cost === 0) return parts;
    if (found !== undefined) return [...parts, ...reached(found), ...letGo()];
    const isLarge = gaveUp || queue.cost > exchangeLimits.eventBytes;
    return [...parts, ...(isLarge ? letGo() : queue.takeChunkEnd())];
  };
  const onHead = (part: Part<ResponseHead> & { is: 'head' }): readonly EditedPart<ResponseHead>[] => {
    if (part.isLast) return [part];
    if ('head' in place || ('byte' in place && place.byte === 0)) return [part, ...reached('after the head')];
    finder = placeFinder(place, part.head);
    return [part];
  };
  return {
    response: (part) => {
      if (part.is === 'head') return onHead(part);
      if (finder === undefined) return [part];
      if (part.is === 'end') return [...letGo(), part];
      queue.add(part);
      return part.is === 'body' ? after(finder.push(part.raw), part.isLast) : queue.takeChunkEnd();
    },
    release: letGo,
  };
}
