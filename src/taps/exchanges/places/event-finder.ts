/** The place before an event of a stream, or inside one that carries a fragment. */
import { type EventBlock, EventBlocks, type NumberedEvent } from '../event-blocks.ts';
import { eventContent } from '../event-content.ts';
import type { Place } from '../exchange-rule.ts';
import type { PlaceFinder, Progress } from './place-finder.ts';

export type EventPlace = Extract<
  Place,
  { event: unknown } | { argumentDelta: number } | { textDelta: number }
>;

export function eventFinder(place: EventPlace): PlaceFinder {
  const blocks = new EventBlocks();
  const placeIn = placeInEvent(place);
  let passed = 0;
  return {
    push: (bytes): Progress => {
      let free = 0;
      for (const block of blocks.push(bytes)) {
        const inside = block.event === undefined ? undefined : placeIn(block.event, block);
        if (inside !== undefined) {
          const where = passed + free + inside.bytes;
          return { bytes: free + inside.bytes, found: `${inside.what}, after ${where} bytes` };
        }
        free += block.raw.length;
      }
      passed += free;
      return blocks.isTooLarge ? { bytes: free, gaveUp: true } : { bytes: free };
    },
  };
}

type PlaceIn = (
  event: NumberedEvent,
  block: EventBlock,
) => { readonly bytes: number; readonly what: string } | undefined;

function placeInEvent(place: EventPlace): PlaceIn {
  if ('event' in place && place.event === 'finish') {
    return ({ data, number }) =>
      eventContent(data).isFinish
        ? { bytes: 0, what: `before event ${number}, which ends the turn` }
        : undefined;
  }
  if ('event' in place) {
    return ({ number }) =>
      number === place.event ? { bytes: 0, what: `before event ${number}` } : undefined;
  }
  const [kind, wanted] =
    'textDelta' in place
      ? (['text', place.textDelta] as const)
      : (['arguments', place.argumentDelta] as const);
  let count = 0;
  return ({ data, number }, { raw }) => {
    const fragment = eventContent(data)[kind];
    if (fragment !== undefined) count += 1;
    if (fragment === undefined || count !== wanted) return undefined;
    const what = `inside event ${number}, in fragment ${count} of ${kind === 'text' ? 'the text' : 'the arguments'}`;
    return { bytes: middleOf(raw, fragment), what };
  };
}

/** After the first half of the fragment as JSON; where it is written differently, in the middle of the event. */
function middleOf(raw: Buffer, fragment: string): number {
  const text = raw.toString('latin1');
  for (const written of [JSON.stringify(fragment), fragment]) {
    const form = Buffer.from(written, 'utf8').toString('latin1');
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
      if (fragmentKey.test(text.slice(Math.max(0, at - keyChars), at))) return at + (form.length >> 1);
    }
  }
  return raw.length >> 1;
}

const fragmentKey = /"(?:content|text|arguments|partial_json|delta|args)"\s*:\s*$/;
const keyChars = 32;
