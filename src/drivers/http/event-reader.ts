/** An event stream as it comes: its events as evidence, up to a limit. */
import { createSseParser } from '../../protocols/sse/sse-parser.ts';
import { driverLimits } from '../driver-limits.ts';
import { parseJson } from '../parse-json.ts';

export interface StreamEvent {
  readonly event?: string;
  readonly id?: string;
  /** Parsed where it is JSON. */
  readonly data: unknown;
}

export interface EventReader {
  push(chunk: Uint8Array): void;
  /** So much came that the rest is not wanted. */
  readonly isFull: boolean;
  readonly unfinished: boolean;
  events(): readonly StreamEvent[];
}

export function createEventReader(mostBytes: number): EventReader {
  const parser = createSseParser({ maxEventChars: mostBytes });
  const events: StreamEvent[] = [];
  let bytes = 0;
  let isFull = false;
  return {
    push: (chunk) => {
      const room = mostBytes - bytes;
      bytes += chunk.length;
      for (const { event, id, data } of parser.push(chunk.subarray(0, Math.max(0, room)))) {
        events.push({
          ...(event === undefined ? {} : { event }),
          ...(id === undefined ? {} : { id }),
          data: dataOf(data),
        });
      }
      isFull ||= bytes > mostBytes || events.length > driverLimits.events;
    },
    get isFull() {
      return isFull;
    },
    get unfinished() {
      return parser.unfinished;
    },
    events: () => events.slice(0, driverLimits.events),
  };
}

function dataOf(text: string): unknown {
  const parsed = parseJson(text);
  return 'value' in parsed ? parsed.value : text;
}
