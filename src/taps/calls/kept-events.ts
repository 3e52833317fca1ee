/** The events of one stream while they pass: the first of them as evidence, each of them for whoever waits for an answer. */
import type { CallMessage } from '../../journal/call-event.ts';
import { createSseParser, type SseEvent } from '../../protocols/sse/sse-parser.ts';
import { callLimits } from './call-limits.ts';
import { readJson } from './read-json.ts';

export interface PassingEvent {
  readonly event?: string;
  readonly id?: string;
  readonly data: unknown;
}

export class KeptEvents {
  bytes = 0;
  readonly #parser = createSseParser({ maxEventChars: callLimits.eventChars });
  readonly #onEvent: ((event: PassingEvent, isLarge: boolean) => void) | undefined;
  readonly #kept: PassingEvent[] = [];
  #keptChars = 0;
  #tooLarge = false;

  /** Events are told beyond what is kept of them; `isLarge`: beyond what is kept of one. */
  constructor(onEvent?: (event: PassingEvent, isLarge: boolean) => void) {
    this.#onEvent = onEvent;
  }

  push(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    for (const event of this.#parser.push(bytes)) this.#take(event);
  }

  evidence(): Pick<CallMessage, 'events'> & { readonly tooLarge?: true } {
    return { events: this.#kept, ...(this.#tooLarge ? { tooLarge: true } : {}) };
  }

  #take({ event, id, data }: SseEvent): void {
    const fits =
      this.#kept.length < callLimits.events && this.#keptChars + data.length <= callLimits.jsonBytes;
    if (!fits) this.#tooLarge = true;
    if (!fits && this.#onEvent === undefined) return;
    const read = readJson(data);
    const passing = {
      ...(event === undefined ? {} : { event }),
      ...(id === undefined ? {} : { id }),
      data: read === undefined ? data : read.json,
    };
    if (fits) {
      this.#keptChars += data.length;
      this.#kept.push(passing);
    }
    this.#onEvent?.(passing, data.length > callLimits.jsonBytes);
  }
}
