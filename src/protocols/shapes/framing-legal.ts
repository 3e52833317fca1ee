/** The same stream of events in other frames: legal ones, and those that are sent all the same. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { dialects } from '../dialects/dialect-table.ts';
import { printSse, printSseComment, type SseStyle } from '../sse/print-sse.ts';
import type { PrintedEvent } from '../turn/dialect.ts';
import type { MakeAnswer, ShapeInput, WireAnswer } from './shape.ts';
import { storedBrotli, storedGzip } from './stored-encodings.ts';
import { answerOfBody, answerOfEvents, answerOfPieces, answerOfTexts } from './wire-answer.ts';

/** More pieces than this say nothing new. */
const mostCuts = 4096;

export function printedEvents({ dialect, turn, about }: ShapeInput): readonly PrintedEvent[] {
  return dialects[dialect].printEvents(turn, about);
}

/** A generator of streams alone. */
export function whenStreamed(make: MakeAnswer): MakeAnswer {
  return (input) => (input.streamed ? make(input) : undefined);
}

const inStyle = (style: SseStyle): MakeAnswer =>
  whenStreamed((input) => answerOfEvents(printedEvents(input), { style }));

/** A text before drawn events, before the first and before the last in any case. */
function between(input: ShapeInput, texts: readonly string[]): WireAnswer {
  const events = printedEvents(input);
  const last = events.length - 1;
  const printed = events.flatMap((event, at) => {
    const isChosen = at === 0 || at === last || input.random.next() < 0.3;
    return isChosen ? [input.random.pick(texts), printSse(event)] : [printSse(event)];
  });
  return answerOfTexts(printed);
}

const betweenEvents = (...texts: readonly string[]): MakeAnswer =>
  whenStreamed((input) => between(input, texts));

export const legalFrames: Readonly<Record<string, MakeAnswer>> = {
  /** Behind the first byte of every character that has several. */
  S01: (input) => {
    const bytes = wholeBytes(input);
    const places: number[] = [];
    for (let at = 1; at < bytes.length && places.length < mostCuts; at += 1) {
      if ((bytes[at - 1] ?? 0) >= 0xc0) places.push(at);
    }
    return places.length === 0 ? undefined : cutAt(bytes, places, input);
  },
  S02: whenStreamed((input) => {
    const texts = printedEvents(input).map((event) => Buffer.from(printSse(event)));
    const chosen = input.random.integer(0, texts.length - 1);
    const pieces = texts.flatMap((bytes, at) => {
      if (at !== chosen) return [{ bytes }];
      const single = Array.from(bytes.subarray(0, mostCuts), (byte) => ({ bytes: Uint8Array.of(byte) }));
      return bytes.length > mostCuts ? [...single, { bytes: bytes.subarray(mostCuts) }] : single;
    });
    return answerOfPieces(pieces);
  }),
  S03: whenStreamed((input) => answerOfPieces([{ bytes: wholeBytes(input) }])),
  S04: inStyle({ space: '' }),
  S05: inStyle({ lineEnd: '\r\n' }),
  S06: inStyle({ lineEnd: '\r' }),
  S07: whenStreamed((input) => {
    const texts = printedEvents(input).map((event) => printSse(event, { lineEnd: '\r\n' }));
    return answerOfTexts(texts.join('').split(/(?<=\r)(?=\n)/));
  }),
  S08: betweenEvents(': OPENROUTER PROCESSING\n\n', ': keep-alive\n\n', ': ping\n'),
  S09: betweenEvents(':\n', ':\n\n'),
  S10: whenStreamed((input) => {
    const texts = printedEvents(input).flatMap((event, at) => [
      printSse({ ...event, ...(at === 0 ? { id: input.random.hex(8) } : {}) }),
      `${printSseComment('keep-alive')}\n`,
    ]);
    return answerOfTexts(texts);
  }),
  S11: betweenEvents('data: : keepalive\n\n', 'data: : OPENROUTER PROCESSING\n\n'),
  S12: betweenEvents('data:\n\n', 'data: \n\n', 'data\n\n'),
  S13: whenStreamed((input) =>
    answerOfEvents(printedEvents(input).map((event) => ({ ...event, data: spread(event.data) }))),
  ),
  S14: whenStreamed((input) => {
    const bytes = Buffer.concat([Buffer.from('\ufeff'), wholeBytes(input)]);
    return cutAt(bytes, input.random.pick([[], [1], [2], [3], [1, 2]]), input);
  }),
  S15: whenStreamed((input) => {
    const texts = printedEvents(input).map((event) => printSse(event));
    const last = texts.pop() ?? '';
    return answerOfTexts([...texts, last.trimEnd() + input.random.pick(['', '\n'])]);
  }),
  S16: whenStreamed((input) => {
    const oddLines = [
      'foo\n',
      'retry: 3000\n',
      'retry: soon\n',
      'id: 7\n',
      'id\n',
      'x-request-id: 1\n',
      'Data: x\n',
    ];
    const texts = printedEvents(input).map((event) => {
      const before = input.random.shuffle(oddLines).slice(0, 2).join('');
      // The second space belongs to the value: JSON does not mind it, `[DONE]` would no longer be the end mark.
      const space = isJson(event.data) ? input.random.pick(['', ' ']) : '';
      return before + printSse({ ...event, data: space + event.data });
    });
    return answerOfTexts(texts);
  }),
  /** Only in an encoding that the consumer accepts. */
  S17: (input) => {
    const offered = encoders.filter(([name]) => input.asked.encodings.includes(name));
    if (offered.length === 0) return undefined;
    const [encoding, encode] = input.random.pick(offered);
    const texts = input.streamed ? printedEvents(input).map((event) => printSse(event)) : [wholeBytes(input)];
    const pieces = encode(texts.map((text) => Buffer.from(text))).map((bytes) => ({ bytes }));
    const type = input.streamed ? {} : { 'content-type': 'application/json' };
    return answerOfPieces(pieces, { headers: { ...type, 'content-encoding': encoding } });
  },
  S18: whenStreamed(({ dialect, turn, about }) => answerOfBody(dialects[dialect].printBody(turn, about))),
  S19: (input) =>
    input.streamed
      ? undefined
      : answerOfEvents(printedEvents({ ...input, about: { ...input.about, wantsUsage: true } })),
  /** Nothing to see for a while: thoughts come in small pieces, slowly. */
  S26: whenStreamed((input) => {
    if (!input.turn.parts.some((part) => part.kind === 'reasoning' && part.text !== '')) return undefined;
    const events = printedEvents({ ...input, about: { ...input.about, pieceChars: 4 } });
    return answerOfEvents(events, { paceMs: longReasoningPaceMs });
  }),
};

/** The body, or the whole stream, in one run of bytes. */
function wholeBytes(input: ShapeInput): Uint8Array {
  if (!input.streamed)
    return Buffer.from(JSON.stringify(dialects[input.dialect].printBody(input.turn, input.about)));
  return Buffer.from(
    printedEvents(input)
      .map((event) => printSse(event))
      .join(''),
  );
}

function cutAt(bytes: Uint8Array, places: readonly number[], input: ShapeInput): WireAnswer {
  const starts = [0, ...places];
  const pieces = starts.map((start, at) => ({ bytes: bytes.subarray(start, starts[at + 1]) }));
  return answerOfPieces(pieces, input.streamed ? {} : { headers: { 'content-type': 'application/json' } });
}

/** JSON may have line ends between its tokens. */
function spread(data: string): string {
  return isJson(data) ? JSON.stringify(parseExactJson(data), null, 1) : data;
}

function isJson(data: string): boolean {
  return data.startsWith('{') || data.startsWith('[{');
}

const encoders = [
  ['gzip', storedGzip],
  ['br', storedBrotli],
] as const;

const longReasoningPaceMs = 250;
