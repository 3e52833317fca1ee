/** Forwards a stream of events with other events in it, framed again. */
import type { ResponseHead } from '../../../protocols/http/http-message.ts';
import { type EventBlock, EventBlocks, type NumberedEvent } from '../event-blocks.ts';
import type { EditAbout, EditedPart, ExchangeEdit, Move, Part } from '../exchange-edit.ts';
import { Framing } from '../framing.ts';
import { isEventStream } from '../places/place-finder.ts';

export interface EventEditor {
  /** What replaces this event, or a comment between two events, and what is done there. */
  edit(raw: Buffer, event: NumberedEvent | undefined): readonly (Buffer | Move)[];
  /** No more events come: those that were kept. */
  rest?(): readonly Buffer[];
}

/** Anything but a readable stream of events passes untouched. */
export function editedEvents({ request }: EditAbout, editor: EventEditor): ExchangeEdit {
  let framing: Framing | undefined;
  /** Absent after an event that is too large: what follows is not counted. */
  let blocks: EventBlocks | undefined = new EventBlocks();
  const begin = (part: Part<ResponseHead> & { is: 'head' }): readonly Part<ResponseHead>[] => {
    if (part.isLast || !isEventStream(part.head)) return [part];
    framing = new Framing(request, part.head);
    return [framing.changedHead(part)];
  };
  /** What arrived together is forwarded together. */
  const change = (to: Framing, came: readonly EventBlock[]): readonly EditedPart<ResponseHead>[] => {
    const edited: EditedPart<ResponseHead>[] = [];
    const together: Buffer[] = [];
    for (const one of came.flatMap(({ raw, event }) => editor.edit(raw, event))) {
      if ('do' in one) edited.push(...to.body(Buffer.concat(together.splice(0))), one);
      else together.push(one);
    }
    return [...edited, ...to.body(Buffer.concat(together))];
  };
  const rest = (to: Framing): readonly Part<ResponseHead>[] => {
    const begun = blocks?.takeRest() ?? Buffer.alloc(0);
    blocks = undefined;
    return to.body(Buffer.concat([...(editor.rest?.() ?? []), begun]));
  };
  const add = (to: Framing, bytes: Buffer): readonly EditedPart<ResponseHead>[] => {
    if (blocks === undefined) return to.body(bytes);
    const edited = change(to, blocks.push(bytes));
    return blocks.isTooLarge ? [...edited, ...rest(to)] : edited;
  };
  return {
    response: (part) => {
      if (part.is === 'head') return begin(part);
      if (framing === undefined) return [part];
      if (part.is === 'end') return [...rest(framing), ...framing.end()];
      return part.is === 'body' ? add(framing, part.raw) : [];
    },
    release: () => (framing === undefined ? [] : rest(framing)),
  };
}
