/** The fault that delays a request, a response or each event of a stream. */
import type { ResponseHead } from '../../../protocols/http/http-message.ts';
import { EventBlocks } from '../event-blocks.ts';
import type { EditAbout, EditedPart, ExchangeEdit, Move, Part } from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';
import type { ExchangeFault } from '../exchange-rule.ts';
import { PartQueue } from '../part-queue.ts';
import { isEventStream } from '../places/place-finder.ts';

type Delay = Extract<ExchangeFault, { do: 'delay' }>;

/** Events wait one after the other: those that came together leave with that pause between them. */
export function delayEdit({ of, ms, jitterMs = 0 }: Delay, { random }: EditAbout): ExchangeEdit {
  const draw = (): number => ms + random.next() * jitterMs;
  if (of === 'event') {
    return eachEvent((parts) => {
      const drawnMs = draw();
      return [...wait('an event', drawnMs), ...parts];
    });
  }
  const drawnMs = draw();
  if (of === 'response') {
    return {
      response: (part) => (part.is === 'head' ? [...wait('the response', drawnMs), part] : [part]),
    };
  }
  const [felt, waits] = wait('the request', drawnMs);
  return {
    request: (part) => (part.is === 'head' ? [waits, part] : part.is === 'end' ? [part, felt] : [part]),
  };
}

/** A consumer that is connected when the wait begins has met it, even if it gives up before the end. */
function wait(what: string, ms: number): readonly [felt: Move, waits: Move] {
  return [
    { do: 'felt', what: `delayed ${what} by ${Math.round(ms)} ms` },
    { do: 'wait', ms },
  ];
}

/** Forwards event by event. The bytes of an event stay as they are, framing included; comments pass in their place. */
function eachEvent(
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
