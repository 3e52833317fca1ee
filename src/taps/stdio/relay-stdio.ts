/** Stands between a consumer and a tool server that speak in lines: passes everything on as it is, and tells the calls in it. */
import type { Readable, Writable } from 'node:stream';
import type { CallEvent } from '../../journal/call-event.ts';
import type { Emit } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AnswerGate, type ShapeDesk } from './answer-gate.ts';
import { LineWatch } from './line-watch.ts';
import { OwnAnswers } from './own-answers.ts';
import { StdioCalls } from './stdio-calls.ts';

export interface StdioRelayOptions {
  /** What the consumer says, and what it hears. */
  readonly consumerIn: Readable;
  readonly consumerOut: Writable;
  /** What the server hears, and what it says. */
  readonly providerIn: Writable;
  readonly providerOut: Readable;
  readonly from: string;
  readonly to: string;
  readonly emit: Emit;
  readonly clock: Clock;
  /** Milliseconds since the journal's first moment, for the times of calls. */
  readonly at?: () => number;
  /** Who knows which answers are wanted in another shape; the calls tell what the server said. */
  readonly desk?: ShapeDesk;
  /** Ends what the consumer hears, where the stream itself cannot. */
  readonly hangUp?: () => void;
}

export interface StdioRelay {
  /** Resolves when both sides have said their last word, and every call was told. Never rejects. */
  readonly done: Promise<void>;
  /** Requests without an answer, as far as they have come. */
  callsInFlight(): readonly CallEvent[];
}

export function relayStdio(options: StdioRelayOptions): StdioRelay {
  const { consumerIn, consumerOut, providerIn, providerOut, desk } = options;
  const calls = new StdioCalls(options);
  const gate = gateTo(consumerOut, options);
  const asked = new LineWatch((line) => {
    if (!line.isCut) gate?.asked(line.bytes);
    calls.asked(line);
  });
  const answered = new LineWatch((line) => calls.answered(line));
  const allAnswered = pass(providerOut, consumerOut, (bytes) => answered.push(bytes), gate).then(() => {
    answered.end();
    calls.cut();
  });
  const own = desk && new OwnAnswers();
  const allAsked = pass(consumerIn, providerIn, (bytes) => asked.push(bytes), own).then(() => asked.end());
  const done = Promise.all([allAnswered, allAsked]).then(() => calls.close());
  return { done, callsInFlight: () => calls.views() };
}

function gateTo(sink: Writable, { desk, clock, hangUp }: StdioRelayOptions): AnswerGate | undefined {
  if (desk === undefined) return undefined;
  const write = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      const settle = (): void => {
        sink.off('drain', settle).off('close', settle);
        resolve();
      };
      if (!sink.writable || sink.write(bytes)) resolve();
      else sink.on('drain', settle).on('close', settle);
    });
  const end = (): void => {
    sink.end(hangUp);
  };
  return new AnswerGate({ desk, clock, write, hangUp: end });
}

/** Resolves when the source is over and the sink has taken all of it. A sink that breaks hears no more, and what still comes is read and dropped. */
function pass(
  source: Readable,
  sink: Writable,
  look: (bytes: Buffer) => void,
  gate?: AnswerGate | OwnAnswers,
): Promise<void> {
  let isBroken = false;
  let isTaking = false;
  const broke = (): void => {
    isBroken = true;
    source.resume();
  };
  sink.on('error', broke).on('close', broke);
  const goOn = (): void => {
    if (!isTaking) source.resume();
  };
  sink.on('drain', goOn);
  source.on('data', (chunk: Buffer | string) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const own = gate instanceof OwnAnswers ? gate.pass(bytes) : bytes;
    if (gate instanceof AnswerGate && !gate.passes(bytes)) {
      isTaking = true;
      source.pause();
      void gate.take(bytes).then(() => {
        isTaking = false;
        goOn();
      });
    } else if (!isBroken && sink.writable && own.length > 0 && !sink.write(own)) source.pause();
    look(bytes);
  });
  return new Promise((resolve) => {
    const over = async (): Promise<void> => {
      if (gate instanceof OwnAnswers && !isBroken && sink.writable) sink.write(gate.rest());
      else await gate?.rest();
      if (isBroken || (gate instanceof AnswerGate && gate.hasHungUp)) resolve();
      else if (!sink.writableEnded) sink.end(() => resolve());
    };
    source.once('end', over).once('close', over).once('error', over);
  });
}
