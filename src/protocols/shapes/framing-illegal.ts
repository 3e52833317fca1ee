/** Answers that no frame makes legal: broken bodies, pages instead of answers, silence, cuts. */
import { dialects } from '../dialects/dialect-table.ts';
import { printSse } from '../sse/print-sse.ts';
import { printedEvents, whenStreamed } from './framing-legal.ts';
import type { MakeAnswer, ShapeInput, WireAnswer } from './shape.ts';
import { answerOfPieces, answerOfText, answerOfTexts } from './wire-answer.ts';

const jsonType = { 'content-type': 'application/json' };

export const illegalFrames: Readonly<Record<string, MakeAnswer>> = {
  S20: ({ dialect, turn, about }) => {
    const body = JSON.stringify(dialects[dialect].printBody(turn, about));
    return answerOfText(`${body}\n\ndata: [DONE]\n\n`, { headers: jsonType });
  },
  S21: whenStreamed(({ random, ...input }) => {
    const events = printedEvents({ random, ...input }).filter(
      ({ data }) => data.length > 2 && data.startsWith('{'),
    );
    const chosen = events[random.integer(0, Math.max(0, events.length - 2))];
    if (chosen === undefined) return undefined;
    const error = dialects[input.dialect].printError({
      status: 502,
      kind: 'server',
      message: 'upstream connection error',
    });
    const before = events.slice(0, events.indexOf(chosen)).map((event) => printSse(event));
    const half = chosen.data.slice(0, random.integer(1, chosen.data.length - 1));
    return answerOfTexts([...before, printSse({ ...chosen, data: half + JSON.stringify(error) })]);
  }),
  S22: whenStreamed((input) => {
    const events = [...printedEvents(input)];
    const able = events.flatMap(({ data }, at) => (stringStart.test(data) ? [at] : []));
    if (able.length === 0) return undefined;
    const at = input.random.pick(able);
    const raw = input.random.pick(['\u0001', '\t', '\u001b', '\u0000']);
    const { data, ...rest } = events[at] ?? { data: '' };
    events[at] = { ...rest, data: data.replace(stringStart, (start) => start + raw) };
    return answerOfTexts(events.map((event) => printSse(event)));
  }),
  S23: ({ random }) => {
    const status = random.pick([200, 502, 503, 520]);
    const page = `<!DOCTYPE html>\n<html lang="en-US"><head><title>example.com | ${status}: Bad gateway</title></head>
<body><div id="cf-wrapper">${'<div class="cf-error-details">Bad gateway. The web server reported a bad gateway error.</div>\n'.repeat(40)}</div></body></html>\n`;
    return answerOfText(page, { status, headers: { 'content-type': 'text/html; charset=UTF-8' } });
  },
  S24: (input) => ended(input, 'hang'),
  /** They end with silence: even an endless answer has an end here. */
  S25: whenStreamed(() => {
    const bytes = Buffer.from(': keep-alive\n\n');
    const pieces = Array.from({ length: heartbeats }, () => ({ bytes, afterMs: heartbeatMs }));
    return answerOfPieces(pieces, { end: 'hang' });
  }),
  /** Somewhere before the last event, which alone says that the turn is whole. */
  S27: (input) => {
    const end = input.random.pick(['fin', 'reset'] as const);
    if (!input.streamed) {
      const body = Buffer.from(JSON.stringify(dialects[input.dialect].printBody(input.turn, input.about)));
      const bytes = body.subarray(0, input.random.integer(1, body.length - 1));
      return answerOfPieces([{ bytes }], { end, headers: jsonType });
    }
    const texts = printedEvents(input).map((event) => printSse(event));
    const open = Buffer.from(texts.slice(0, -1).join(''));
    const bytes = open.subarray(0, input.random.integer(0, open.length));
    return answerOfPieces(bytes.length === 0 ? [] : [{ bytes }], { end });
  },
  /** The same mebibyte again and again: the answer is large on the wire only. */
  S28: ({ random, streamed }) => {
    const start = Buffer.from(`${streamed ? 'data: ' : ''}{"x":"`);
    const filler = { bytes: Buffer.alloc(mebibyte, 'a') };
    const pieces = [{ bytes: start }, ...Array.from({ length: random.integer(10, 100) }, () => filler)];
    const end = random.pick(['whole', 'fin', 'hang'] as const);
    return answerOfPieces(pieces, { end, ...(streamed ? {} : { headers: jsonType }) });
  },
};

/** A key and the quote that opens its value. */
const stringStart = /"[a-zA-Z_]+":"/;

function ended({ streamed }: ShapeInput, end: WireAnswer['end']): WireAnswer {
  return answerOfPieces([], { end, ...(streamed ? {} : { headers: jsonType }) });
}

const heartbeats = 240;
const heartbeatMs = 500;

const mebibyte = 1024 * 1024;
