/** Server-sent events from bytes, however they are cut. */

export interface SseEvent {
  readonly event?: string;
  readonly data: string;
}

export interface SseReader {
  push(bytes: Uint8Array): readonly SseEvent[];
  /** The last event, when the stream ends without a blank line. */
  end(): readonly SseEvent[];
}

/** Turns bytes into text; keeps the bytes of an incomplete code point. */
export type Decode = (bytes: Uint8Array) => string;

export class SseTooLong extends Error {}

const mostCharacters = 1024 * 1024;

export function createSseReader(decode: Decode = wholeCodePoints()): SseReader {
  let waiting = '';
  let data: string[] = [];
  let held = 0;
  let name: string | undefined;

  const dispatch = (): SseEvent[] => {
    const event = { data: data.join('\n'), ...(name === undefined ? {} : { event: name }) };
    data = [];
    held = 0;
    name = undefined;
    return event.data === '' ? [] : [event];
  };

  const takeLine = (line: string): SseEvent[] => {
    if (line === '') return dispatch();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') {
      data.push(value);
      held += value.length + 1;
    }
    if (field === 'event') name = value;
    return []; // a comment has an empty field; `id` and `retry` mean nothing here
  };

  const takeLines = (isEnd: boolean): SseEvent[] => {
    const events: SseEvent[] = [];
    // A carriage return at the very end may be the first half of a line end.
    for (let end = lineEnd(waiting, isEnd); end; end = lineEnd(waiting, isEnd)) {
      events.push(...takeLine(waiting.slice(0, end.at)));
      waiting = waiting.slice(end.next);
    }
    return events;
  };

  return {
    push(bytes) {
      waiting += decode(bytes);
      const events = takeLines(false);
      if (waiting.length + held > mostCharacters) {
        throw new SseTooLong(`an event of more than ${mostCharacters} characters`);
      }
      return events;
    },
    end() {
      const events = takeLines(true);
      if (waiting !== '') takeLine(waiting);
      waiting = '';
      return [...events, ...dispatch()];
    },
  };
}

function lineEnd(text: string, isEnd: boolean): { at: number; next: number } | undefined {
  const at = text.search(/[\r\n]/);
  if (at === -1) return undefined;
  if (text[at] === '\n') return { at, next: at + 1 };
  if (at + 1 === text.length) return isEnd ? { at, next: at + 1 } : undefined;
  return { at, next: text[at + 1] === '\n' ? at + 2 : at + 1 };
}

/** A byte order mark at the beginning is removed, too. */
export function wholeCodePoints(): Decode {
  const decoder = new TextDecoder('utf-8');
  return (bytes) => decoder.decode(bytes, { stream: true });
}

/** The events of a stream as they come. Throws what the stream throws when it is cut off. */
export async function* readEvents(
  stream: AsyncIterable<Uint8Array>,
  decode?: Decode,
): AsyncGenerator<SseEvent> {
  const reader = createSseReader(decode);
  for await (const bytes of stream) yield* reader.push(bytes);
  yield* reader.end();
}
