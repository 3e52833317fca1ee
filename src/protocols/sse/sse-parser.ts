/** Server-sent events: a stream of bytes or text, cut anywhere, to events, as the HTML standard reads them. */

import { createUtf8Reader } from '../../kernel/utf8-text.ts';

/** Characters of one event, its name and its id included, that are kept; the rest of a larger one is dropped. */
const mostEventChars = 16 * 1024 * 1024;

export interface SseEvent {
  /** Absent where the stream names none; a client takes it for `message` then. */
  readonly event?: string;
  /** The id that this very event carries. */
  readonly id?: string;
  /** Milliseconds after which the server asks to be called again. */
  readonly retry?: number;
  /** Its lines, joined by line feeds. */
  readonly data: string;
  /** It was larger than accepted, and this is its beginning. */
  readonly truncated?: true;
  /** The last characters of a line that was cut. */
  readonly tail?: string;
}

export interface SseParser {
  /** The events that these bytes or this text complete. Never throws: what is not an event is skipped. */
  push(chunk: string | Uint8Array): SseEvent[];
  /** The newest id of the stream, of events without data too: what a client sends as `Last-Event-ID`. */
  readonly lastEventId: string | undefined;
  /** An event has begun and is not complete; one that stays so does not count. */
  readonly unfinished: boolean;
  /** The stream is over. With `lastEvent: 'accept'`, the last event if only its blank line is missing. */
  end(): SseEvent | undefined;
}

export interface SseParserOptions {
  readonly maxEventChars?: number;
  /** The standard drops a last event without its blank line; clients of model providers must take it. `drop` where absent. */
  readonly lastEvent?: 'drop' | 'accept';
}

export function createSseParser(options: SseParserOptions = {}): SseParser {
  const lines = createLineCutter(options.maxEventChars ?? mostEventChars);
  const fields = createFieldReader(options.maxEventChars ?? mostEventChars);
  const read = createUtf8Reader();
  return {
    push: (chunk) => {
      const events: SseEvent[] = [];
      const text = typeof chunk === 'string' ? chunk : read(chunk);
      lines.push(text, (line, tail) => {
        const event = fields.read(line, tail);
        if (event !== undefined) events.push(event);
      });
      return events;
    },
    get lastEventId() {
      return fields.lastEventId();
    },
    get unfinished() {
      return fields.hasBegun() || lines.hasBegun();
    },
    end: () => {
      const rest = read(Buffer.alloc(0), true);
      if (options.lastEvent !== 'accept') return undefined;
      lines.push(rest, fields.read);
      lines.end(fields.read);
      return fields.read('');
    },
  };
}

/** With a tail where the line was cut. */
type OnLine = (line: string, tail?: string) => void;

interface LineCutter {
  push(text: string, onLine: OnLine): void;
  /** The last line, which nothing ends. */
  end(onLine: OnLine): void;
  hasBegun(): boolean;
}

/** Lines end with CR, LF, or both; a line counts as complete at its CR, and an LF that comes later belongs to it. */
function createLineCutter(maxChars: number): LineCutter {
  let line = '';
  /** What came after the first piece of a line: joined now and then, since a text of millions of tiny pieces takes far more than its characters. */
  let later: string[] = [];
  let room = maxChars;
  let tail: string | undefined;
  let isFirst = true;
  let afterCr = false;
  const join = (): void => {
    line += later.join('');
    later = [];
  };
  const append = (part: string): void => {
    if (part.length > room) tail = `${tail ?? ''}${part.slice(-tailChars)}`.slice(-tailChars);
    const kept = part.length > room ? part.slice(0, room) : part;
    room -= kept.length;
    if (line === '') line = kept;
    else if (kept !== '' && later.push(kept) === mostPieces) join();
  };
  const complete = (onLine: OnLine): void => {
    if (later.length > 0) join();
    const [whole, last] = [line, tail];
    line = '';
    room = maxChars;
    tail = undefined;
    onLine(whole, last);
  };
  return {
    push: (text, onLine) => {
      let from = 0;
      if (text === '') return;
      if (isFirst && text.charCodeAt(0) === byteOrderMark) from = 1;
      else if (afterCr && text.charCodeAt(0) === lineFeed) from = 1;
      isFirst = false;
      afterCr = false;
      let [lf, cr] = [text.indexOf('\n', from), text.indexOf('\r', from)];
      while (lf !== -1 || cr !== -1) {
        const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
        append(text.slice(from, end));
        complete(onLine);
        from = end + 1;
        if (end === cr && from === text.length) afterCr = true;
        else if (end === cr && lf === from) from += 1;
        if (lf !== -1 && lf < from) lf = text.indexOf('\n', from);
        if (cr !== -1 && cr < from) cr = text.indexOf('\r', from);
      }
      append(text.slice(from));
    },
    end: (onLine) => {
      if (line !== '' || tail !== undefined) complete(onLine);
    },
    hasBegun: () => line !== '',
  };
}

const mostPieces = 512;
/** Enough for the members behind a large one: `"jsonrpc":"2.0","id":…}`. */
const tailChars = 256;
const lineFeed = 0x0a;
const byteOrderMark = 0xfeff;

interface FieldReader {
  /** The event that this line completes. */
  read(line: string, tail?: string): SseEvent | undefined;
  lastEventId(): string | undefined;
  hasBegun(): boolean;
}

interface Draft {
  event?: string;
  id?: string;
  retry?: number;
  data?: string;
  truncated?: true;
  tail?: string;
}

function createFieldReader(maxChars: number): FieldReader {
  let draft: Draft = {};
  let lastEventId: string | undefined;
  const addData = (value: string): void => {
    if (draft.data !== undefined && draft.truncated) return;
    const data = draft.data === undefined ? value : `${draft.data}\n${value}`;
    if (data.length > maxChars) draft.truncated = true;
    draft.data = data.length > maxChars ? data.slice(0, maxChars) : data;
  };
  const readField = (name: string, value: string): void => {
    if (name === 'data') addData(value);
    else if (name === 'event') draft.event = value;
    else if (name === 'id' && !value.includes('\0')) {
      draft.id = value;
      lastEventId = value;
    } else if (name === 'retry' && /^\d{1,15}$/.test(value)) draft.retry = Number(value);
  };
  const complete = (): SseEvent | undefined => {
    const { data, event, ...rest } = draft;
    draft = {};
    if (data === undefined) return undefined;
    return event === undefined || event === '' ? { ...rest, data } : { event, ...rest, data };
  };
  return {
    read: (line, tail) => {
      if (line === '' && tail === undefined) return complete();
      const colon = line.indexOf(':');
      if (colon === 0) return undefined;
      const name = colon === -1 ? line : line.slice(0, colon);
      const after = colon === -1 ? '' : line.slice(colon + 1);
      readField(name, after.startsWith(' ') ? after.slice(1) : after);
      if (tail !== undefined) draft = { ...draft, truncated: true, tail };
      return undefined;
    },
    lastEventId: () => lastEventId,
    hasBegun: () => Object.keys(draft).length > 0,
  };
}
