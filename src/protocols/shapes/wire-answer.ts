/** Answers as bytes: made from events or from a body, and folded back to the turn that they carry. */
import { defined } from '../../kernel/defined.ts';
import { printSse, type SseStyle } from '../sse/print-sse.ts';
import type { Dialect, PrintedEvent } from '../turn/dialect.ts';
import type { FoldedTurn } from '../turn/turn.ts';
import { createAnswerFold } from './answer-fold.ts';
import type { WireAnswer, WireEnd, WirePiece } from './shape.ts';

export interface AnswerOptions {
  readonly status?: number;
  /** Added to the content type. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `whole` where absent. */
  readonly end?: WireEnd;
}

export interface EventsOptions extends AnswerOptions {
  readonly style?: SseStyle;
  /** Waited before each event but the first. */
  readonly paceMs?: number;
}

/** A piece for each event. */
export function answerOfEvents(events: readonly PrintedEvent[], options: EventsOptions = {}): WireAnswer {
  return answerOfTexts(
    events.map((event) => printSse(event, options.style)),
    options,
  );
}

/** A piece for each text of a stream of events, printed already. */
export function answerOfTexts(texts: readonly string[], options: EventsOptions = {}): WireAnswer {
  const { paceMs } = options;
  const pieces = texts.map((text, at): WirePiece => {
    const bytes = Buffer.from(text);
    return paceMs === undefined || at === 0 ? { bytes } : { bytes, afterMs: paceMs };
  });
  return answerOfPieces(pieces, options);
}

export function answerOfPieces(pieces: readonly WirePiece[], options: AnswerOptions = {}): WireAnswer {
  return {
    status: options.status ?? 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      ...options.headers,
    },
    pieces,
    end: options.end ?? 'whole',
  };
}

export function answerOfBody(json: unknown, options: AnswerOptions = {}): WireAnswer {
  return answerOfText(JSON.stringify(json), { headers: { 'content-type': 'application/json' }, ...options });
}

export function answerOfText(text: string, options: AnswerOptions = {}): WireAnswer {
  return {
    status: options.status ?? 200,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...options.headers },
    pieces: [{ bytes: Buffer.from(text) }],
    end: options.end ?? 'whole',
  };
}

export interface FoldAnswerOptions {
  /** What the consumer had asked for; where it is known, the other form is noted. */
  readonly streamAsked?: boolean;
  /** Undoes `content-encoding`; without it an encoded answer cannot be read. */
  readonly decode?: (encoding: string, bytes: Uint8Array) => Uint8Array;
}

/** As a consumer that reads to the end would; what hangs is taken as cut off. */
export function foldAnswer(
  dialect: Dialect,
  answer: WireAnswer,
  options: FoldAnswerOptions = {},
): FoldedTurn {
  const { status, headers, pieces, end } = answer;
  const encoding = headers['content-encoding'];
  const isPlain = encoding === undefined || options.decode === undefined;
  const plainHeaders = isPlain ? headers : { ...headers, 'content-encoding': 'identity' };
  const fold = createAnswerFold({
    dialect,
    status,
    headers: plainHeaders,
    ...defined({ streamAsked: options.streamAsked }),
  });
  if (isPlain) for (const { bytes } of pieces) fold.push(bytes);
  else fold.push(options.decode(encoding, Buffer.concat(pieces.map(({ bytes }) => bytes))));
  return fold.end(end === 'whole' ? 'end' : 'cut');
}
