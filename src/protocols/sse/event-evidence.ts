/** The events of one stream as they come: the first of them as evidence, each of them for listeners. */
import { defined } from '../../kernel/defined.ts';
import { readJson } from '../json-rpc/read-json.ts';
import { createSseParser, type SseEvent, type SseParser } from './sse-parser.ts';

export interface StreamEvent {
  readonly event?: string;
  readonly id?: string;
  /** Parsed where it is JSON; `{ $broken: text }` where it only looks like it. */
  readonly data: unknown;
  readonly at?: number;
}

export interface EventLimits {
  readonly events: number;
  /** Of the data of all events. */
  readonly chars: number;
  /** Of one event that is looked at. */
  readonly eventChars?: number;
}

export interface EventsReading {
  readonly events: readonly StreamEvent[];
  /** More came than is kept. */
  readonly tooLarge?: true;
  /** All came, and its end is missing. */
  readonly unfinished?: true;
  readonly broken?: string;
}

export class EventEvidence {
  bytes = 0;
  readonly #limits: EventLimits;
  readonly #onEvent: ((event: SseEvent) => void) | undefined;
  readonly #parser: SseParser;
  readonly #kept: StreamEvent[] = [];
  #keptChars = 0;
  #isFull = false;

  /** Listeners also get events beyond what is kept. */
  constructor(limits: EventLimits, onEvent?: (event: SseEvent) => void) {
    this.#limits = limits;
    this.#onEvent = onEvent;
    this.#parser = createSseParser({ maxEventChars: limits.eventChars ?? limits.chars });
  }

  /** `at`: when these bytes came, where that is to be known of each event. */
  push(bytes: Uint8Array, at?: number): void {
    this.bytes += bytes.length;
    if (this.#isFull && this.#onEvent === undefined) return;
    for (const event of this.#parser.push(bytes)) {
      this.#keep(event, at);
      this.#onEvent?.(event);
    }
  }

  /** `isWhole`: no more will come. */
  evidence(isWhole: boolean): EventsReading {
    const events = this.#kept;
    if (this.#isFull) return { events, tooLarge: true };
    return isWhole && this.#parser.unfinished
      ? { events, unfinished: true, broken: 'the stream ended inside an event' }
      : { events };
  }

  #keep({ event, id, data, truncated }: SseEvent, at: number | undefined): void {
    const { events, chars } = this.#limits;
    this.#isFull ||=
      truncated === true || this.#kept.length >= events || this.#keptChars + data.length > chars;
    if (this.#isFull) return;
    this.#keptChars += data.length;
    this.#kept.push({
      ...defined({ event, id }),
      data: readData(data),
      ...defined({ at }),
    });
  }
}

function readData(text: string): unknown {
  const read = readJson(text);
  if ('json' in read) return read.json;
  return looksLikeJson.test(text) && text.includes('"') ? { $broken: text } : text;
}

/** A map, or a list of something; not `[DONE]`. A brace without a key is a token of plain text. */
const looksLikeJson = /^\s*(?:\{|\[\s*[[{"\]])/;
