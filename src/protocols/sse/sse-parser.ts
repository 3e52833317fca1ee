/** Server-sent events: a stream of bytes or text, cut anywhere, to events, as the HTML standard reads them. */

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
}

export interface SseParser {
  /** The events that these bytes or this text complete. Never throws: what is no event is none. */
  push(chunk: string | Uint8Array): SseEvent[];
  /** The newest id of the stream, of events without data too: what a client sends as `Last-Event-ID`. */
  readonly lastEventId: string | undefined;
  /** An event has begun and is not complete; one that stays so is none. */
  readonly unfinished: boolean;
}

export interface SseParserOptions {
  readonly maxEventChars?: number;
}

export function createSseParser(options: SseParserOptions = {}): SseParser {
  const lines = createLineCutter(options.maxEventChars ?? mostEventChars);
  const fields = createFieldReader(options.maxEventChars ?? mostEventChars);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    push: (chunk) => {
      const events: SseEvent[] = [];
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      lines.push(text, (line, isCut) => {
        const event = fields.read(line, isCut);
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
  };
}

type OnLine = (line: string, isCut: boolean) => void;

interface LineCutter {
  push(text: string, onLine: OnLine): void;
  hasBegun(): boolean;
}

/** Lines end with CR, LF, or both; a line counts as complete at its CR, and an LF that comes later belongs to it. */
function createLineCutter(maxChars: number): LineCutter {
  let line = '';
  let isCut = false;
  let isFirst = true;
  let afterCr = false;
  const append = (part: string): void => {
    if (line.length + part.length > maxChars) isCut = true;
    line += part.slice(0, maxChars - line.length);
  };
  const complete = (onLine: OnLine): void => {
    const [whole, wasCut] = [line, isCut];
    line = '';
    isCut = false;
    onLine(whole, wasCut);
  };
  return {
    push: (text, onLine) => {
      let from = 0;
      if (text === '') return;
      if (isFirst && text.charCodeAt(0) === byteOrderMark) from = 1;
      else if (afterCr && text.charCodeAt(0) === lineFeed) from = 1;
      isFirst = false;
      afterCr = false;
      for (let end = lineEnd(text, from); end !== -1; end = lineEnd(text, from)) {
        append(text.slice(from, end));
        complete(onLine);
        from = end + 1;
        if (text.charCodeAt(end) !== carriageReturn) continue;
        if (from === text.length) afterCr = true;
        else if (text.charCodeAt(from) === lineFeed) from += 1;
      }
      append(text.slice(from));
    },
    hasBegun: () => line !== '',
  };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = 0xfeff;

function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || code === carriageReturn) return at;
  }
  return -1;
}

interface FieldReader {
  /** The event that this line completes. */
  read(line: string, isCut: boolean): SseEvent | undefined;
  lastEventId(): string | undefined;
  hasBegun(): boolean;
}

interface Draft {
  event?: string;
  id?: string;
  retry?: number;
  data?: string;
  truncated?: true;
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
    read: (line, isCut) => {
      if (line === '' && !isCut) return complete();
      const colon = line.indexOf(':');
      if (colon === 0) return undefined;
      const name = colon === -1 ? line : line.slice(0, colon);
      const after = colon === -1 ? '' : line.slice(colon + 1);
      readField(name, after.startsWith(' ') ? after.slice(1) : after);
      if (isCut) draft.truncated = true;
      return undefined;
    },
    lastEventId: () => lastEventId,
    hasBegun: () => Object.keys(draft).length > 0,
  };
}
