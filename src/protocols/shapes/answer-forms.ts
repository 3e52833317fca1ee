/** The two forms of an answer, folded as their bytes come: a stream of events, and one JSON body. */
import { exactJsonOr } from '../../kernel/exact-json.ts';
import { createSseParser, type SseEvent } from '../sse/sse-parser.ts';
import type { Dialect } from '../turn/dialect.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { shownValue } from '../turn/fold-notes.ts';
import type { FoldedTurn, WireFault } from '../turn/turn.ts';

export interface AnswerFoldOptions {
  readonly dialect: Dialect;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the consumer had asked for; where it is known, the other form is noted. */
  readonly streamAsked?: boolean;
}

export interface AnswerFold {
  /** Bytes of the body, cut anywhere, without the encoding of the transfer and of the content. */
  push(bytes: Uint8Array): void;
  /** `end`: as HTTP demands. */
  end(how: 'end' | 'cut'): FoldedTurn;
  soFar(): FoldedTurn;
}

export function createEventsFold({ dialect }: AnswerFoldOptions): AnswerFold {
  const parser = createSseParser({ lastEvent: 'accept' });
  const fold = dialect.createFold();
  const faults: WireFault[] = [];
  const oddities: WireFault[] = [];
  let event = 0;
  const pushEvent = (read: SseEvent): void => {
    event += 1;
    if (read.data === '' && oddities.length === 0)
      oddities.push({ rule: 'sse.empty-data', shape: 'S12', what: 'an event has empty data', event });
    if (read.truncated && faults.length === 0) {
      faults.push({ rule: 'sse.too-large', shape: 'S28', what: 'an event is larger than accepted', event });
    }
    fold.push(read);
  };
  return {
    push: (bytes) => {
      for (const read of parser.push(bytes)) pushEvent(read);
    },
    soFar: () => addNotes(fold.soFar(), faults, oddities),
    end: (how) => {
      const isOpen = parser.unfinished;
      const last = how === 'end' ? parser.end() : undefined;
      if (last !== undefined) {
        pushEvent(last);
        const what = 'the last event has no blank line';
        oddities.push({ rule: 'sse.no-last-blank-line', shape: 'S15', what, event });
      } else if (how === 'cut' && isOpen) {
        const what = `the connection broke inside event ${event + 1}`;
        faults.push({ rule: 'sse.cut', shape: 'S27', what });
      }
      return addNotes(fold.end(how), faults, oddities);
    },
  };
}

export function createBodyFold(options: AnswerFoldOptions): AnswerFold {
  let bytes = Buffer.alloc(0);
  let size = 0;
  let isCut = false;
  const append = (more: Uint8Array): void => {
    if (size + more.length > bytes.length) {
      const larger = Buffer.alloc(
        Math.min(foldLimits.bodyBytes, Math.max(2 * bytes.length, size + more.length)),
      );
      bytes.copy(larger, 0, 0, size);
      bytes = larger;
    }
    bytes.set(more, size);
    size += more.length;
  };
  return {
    push: (more) => {
      const room = foldLimits.bodyBytes - size;
      if (more.length > room) isCut = true;
      append(more.subarray(0, room));
    },
    soFar: () => ({
      ...unread(options, { rule: 'http.open', what: 'the body is not there yet' }),
      faults: [],
    }),
    end: (how) => {
      if (isCut) {
        const what = `the body is larger than ${foldLimits.bodyBytes} bytes`;
        return unread(options, { rule: 'http.too-large', shape: 'S28', what });
      }
      const folded = foldText(options, new TextDecoder().decode(bytes.subarray(0, size)));
      const what = `the connection broke after ${size} bytes of the body`;
      return how === 'cut' ? addNotes(folded, [{ rule: 'http.cut', shape: 'S27', what }], []) : folded;
    },
  };
}

function foldText(options: AnswerFoldOptions, text: string): FoldedTurn {
  const { dialect, status, headers } = options;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    // The caller has not decoded it: not the sender's fault.
    const what = `the content encoding is ${shownValue(encoding)}, and the body was not decoded`;
    const note = { rule: 'http.encoded', shape: 'S17', what };
    return { ...unread(options, note), faults: [], oddities: [note] };
  }
  const json = exactJsonOr(text, undefined);
  if (json !== undefined) return dialect.foldBody(json, status);
  const glued = text.slice(-mostGluedChars).search(/data:\s*\[DONE\]\s*$/);
  const before =
    glued === -1
      ? undefined
      : exactJsonOr(text.slice(0, Math.max(0, text.length - mostGluedChars) + glued), undefined);
  if (before === undefined) return unread(options, notJson(options, text));
  const what = 'the JSON body is followed by the end mark of a stream';
  return addNotes(dialect.foldBody(before, status), [{ rule: 'http.glued', shape: 'S20', what }], []);
}

const mostGluedChars = 64;

/** The beginning alone: pages of proxies are long, and say nothing after it. */
function notJson({ headers, status }: AnswerFoldOptions, text: string): WireFault {
  const type = headers['content-type'] ?? 'no content type';
  const isPage = /^\s*<(?:!doctype|html|head|body)/i.test(text);
  const what = `${status} with ${type} holds no JSON: ${shownValue(text.slice(0, 1024).trim())}`;
  return { rule: 'http.not-json', ...(isPage ? { shape: 'S23' } : {}), what };
}

function unread({ dialect, status }: AnswerFoldOptions, fault: WireFault): FoldedTurn {
  return {
    dialect: dialect.name,
    streamed: false,
    complete: false,
    parts: [],
    stop: null,
    usage: null,
    ...(status >= 400 ? { error: { type: `http_${status}`, message: fault.what } } : {}),
    faults: [fault],
    oddities: [],
  };
}

/** A turn with a fault more is not complete. */
export function addNotes(
  folded: FoldedTurn,
  faults: readonly WireFault[],
  oddities: readonly WireFault[],
): FoldedTurn {
  if (faults.length === 0 && oddities.length === 0) return folded;
  return {
    ...folded,
    complete: folded.complete && faults.length === 0,
    faults: [...folded.faults, ...faults],
    oddities: [...folded.oddities, ...oddities],
  };
}
