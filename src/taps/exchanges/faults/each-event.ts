/** Forwards a stream of events event by event, each with what is done before or after it. */
import type { ResponseHead } from '../../../protocols/http/http-message.ts';
import { EventBlocks } from '../event-blocks.ts';
import type { EditedPart, ExchangeEdit, Part } from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';
import { PartQueue } from '../part-queue.ts';
import { isEventStream } from '../places/place-finder.ts';

/** The bytes of an event stay as they are, framing included; comments pass in their place. */
export function eachEvent(
  edit: (parts: readonly Part<ResponseHead>[]) => readonly EditedPart<ResponseHead>[],
): ExchangeEdit {
  const queue = new PartQueue();
  let blocks: EventBlocks | undefined;
  const letGo = (): readonly Part<ResponseHead>[] => {
    blocks = undefined;
    return queue.takeAll();
  };
  return {
    response: (part) => {
      if (part.is === 'head' && isEventStream(part.head)) blocks = new EventBlocks();
      if (blocks === undefined || part.is === 'head') return [part];
      if (part.is === 'end') return [...letGo(), part];
      queue.add(part);
      if (part.is === 'frame') return queue.takeChunkEnd();
      const edited = blocks.push(part.raw).flatMap(({ raw, event }) => {
        const parts = queue.take(raw.length);
        return event === undefined ? parts : edit(parts);
      });
      const isLarge = blocks.isTooLarge || queue.cost > exchangeLimits.eventBytes;
      return [...edited, ...(isLarge ? letGo() : queue.takeChunkEnd())];
    },
    release: letGo,
  };
}
