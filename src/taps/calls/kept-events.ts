/** The events of one stream while they pass: the first of them as evidence, each of them for whoever waits for an answer. */
import type { CallMessage } from '../../journal/call-event.ts';
import { createSseParser, type SseEvent } from '../../protocols/sse/sse-parser.ts';
import { callLimits } from './call-limits.ts';
import { readJson } from './read-json.ts';
import { idOfCut } from './rpc-beginning.ts';

export interface PassingEvent {
  readonly event?: string;
  readonly id?: string;
  readonly data: unknown;
  readonly at?: number;
}

export interface KeptEventsOptions {
  /** Events are told beyond what is kept of them; `isLarge`: beyond what is kept of one. */
  readonly onEvent?: (event: PassingEvent, isLarge: boolean) => void;
  /** When the call began; with it each event has its time. */
  readonly startedAt?: number;
}

export class KeptEvents {
  bytes = 0;
  /** Each of them is whole. */
  readonly isUnfinished = false;
  readonly #parser = createSseParser({ maxEventChars: callLimits.eventChars });
  readonly #options: KeptEventsOptions;
  readonly #kept: PassingEvent[] = [];
  #keptChars = 0;
  #tooLarge = false;

  constructor(options: KeptEventsOptions = {}) {
    this.#options = options;
  }

  push(bytes: Uint8Array, now?: number): void {
    this.bytes += bytes.length;
    if (this.#tooLarge && this.#options.onEvent === undefined) return;
    for (const event of this.#parser.push(bytes)) this.#take(event, now);
  }

  evidence(): Pick<CallMessage, 'events'> & { readonly tooLarge?: true } {
    return { events: this.#kept, ...(this.#tooLarge ? { tooLarge: true } : {}) };
  }

  #take({ event, id, data, truncated, tail = '' }: SseEvent, now: number | undefined): void {
    const { onEvent, startedAt } = this.#options;
    const fits =
      this.#kept.length < callLimits.events && this.#keptChars + data.length <= callLimits.jsonBytes;
    if (!fits) this.#tooLarge = true;
    if (!fits && onEvent === undefined) return;
    const read = truncated ? { json: cutAnswer(data, tail) } : readJson(data);
    const passing = {
      ...(event === undefined ? {} : { event }),
      ...(id === undefined ? {} : { id }),
      data: read === undefined ? data : read.json,
      ...(startedAt === undefined || now === undefined ? {} : { at: sinceMs(startedAt, now) }),
    };
    if (fits) {
      this.#keptChars += data.length;
      this.#kept.push(passing);
    }
    onEvent?.(passing, data.length > callLimits.jsonBytes);
  }
}

/** It is not kept, but whoever waits for the answer learns that it has come. */
function cutAnswer(beginning: string, tail: string): unknown {
  return { jsonrpc: '2.0', id: idOfCut(beginning, tail), result: null };
}

/** To the microsecond. */
function sinceMs(startedAt: number, now: number): number {
  return Math.round((now - startedAt) * 1_000) / 1_000;
}
