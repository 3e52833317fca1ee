/** Sends a turn as a stream: one write for each event, no faster than the consumer takes them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.ts';
import { printSse } from '../../../protocols/sse/print-sse.ts';
import type { PrintAbout, PrintedEvent } from '../../../protocols/turn/dialect.ts';
import type { Turn } from '../../../protocols/turn/turn.ts';
import type { WireReply } from '../../wire/wire-server.ts';
import type { Answered, ModelCall } from '../model-call.ts';
import { answerHeaders, isArrayStream } from './answer-words.ts';

export interface Pace {
  readonly clock: Clock;
  /** Waited between events. */
  readonly paceMs: number;
}

/** No promise is made as long as the consumer keeps up and there is nothing to wait for. */
export function sendEvents(
  call: ModelCall,
  turn: Turn,
  about: PrintAbout,
  { clock, paceMs }: Pace,
): Answered {
  const { dialect, reply } = call;
  const outcome = { status: 200, usage: turn.usage ?? null };
  const events = dialect.printEvents(turn, about);
  const stream = { reply, events, print: printerFor(call, events.length) };
  reply.begin(200, answerHeaders(call));
  if (paceMs > 0) return sendPaced(stream, clock, paceMs).then(() => outcome);
  const sent = writeEvents(stream, 0);
  if (sent < events.length) return sendBehind(stream, sent).then(() => outcome);
  reply.end();
  return outcome;
}

type Print = (event: PrintedEvent) => string;

interface Stream {
  readonly reply: WireReply;
  readonly events: readonly PrintedEvent[];
  readonly print: Print;
}

function printerFor(call: ModelCall, count: number): Print {
  if (isArrayStream(call)) return arrayPrinter(count);
  return call.dialect.name === 'gemini' ? printGeminiSse : printSse;
}

const googleStyle = { lineEnd: '\r\n' } as const;
const printGeminiSse: Print = (event) => printSse(event, googleStyle);

/** Until the consumer is behind; gives the place of the next event. A socket that is gone says something else than true. */
function writeEvents({ reply, events, print }: Stream, from: number): number {
  for (let at = from; at < events.length; at += 1)
    if (reply.write(print(events[at] as PrintedEvent)) !== true) return at + 1;
  return events.length;
}

async function sendBehind(stream: Stream, from: number): Promise<void> {
  const { reply, events } = stream;
  for (let at = from; at < events.length && !reply.isGone; ) {
    await reply.drained();
    await nextTurn(); // so that a disconnected consumer is noticed
    at = writeEvents(stream, at);
  }
  reply.end();
}

/** A timer for each event and nothing else, because thousands of slow streams are open at a time. */
function sendPaced({ reply, events, print }: Stream, clock: Clock, paceMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let at = 0;
  let cancel = (): void => undefined;
  const finish = (): void => {
    cancel();
    reply.gone.removeEventListener('abort', finish);
    reply.end();
    resolve();
  };
  const wait = (): void => {
    if (at === events.length || reply.isGone) finish();
    else cancel = clock.after(paceMs, step);
  };
  const step = (): void => {
    const isReady = reply.write(print(events[at] as PrintedEvent));
    at += 1;
    if (isReady) wait();
    else void reply.drained().then(wait);
  };
  reply.gone.addEventListener('abort', finish, { once: true });
  if (events.length === 0 || reply.isGone) finish();
  else step();
  return promise;
}

/** The events as one list of JSON, an element at a time. */
function arrayPrinter(count: number): Print {
  let printed = 0;
  return ({ data }) => {
    printed += 1;
    return `${printed === 1 ? '[' : ',\r\n'}${data}${printed === count ? ']' : ''}`;
  };
}
