/** Relays between a consumer and a tool server that speak in lines: forwards all unchanged, reports the calls. */
import type { Readable, Writable } from 'node:stream';
import type { CallEvent } from '../../journal/call-event.ts';
import type { Emit } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { AnswerGate, type ShapeDesk } from './answer-gate.ts';
import { LineWatch } from './line-watch.ts';
import { OwnAnswers } from './own-answers.ts';
import { StdioCalls } from './stdio-calls.ts';

export interface StdioRelayOptions {
  /** What the consumer writes, and what it reads. */
  readonly consumerIn: Readable;
  readonly consumerOut: Writable;
  /** What the server reads, and what it writes. */
  readonly providerIn: Writable;
  readonly providerOut: Readable;
  readonly from: string;
  readonly to: string;
  readonly emit: Emit;
  /** A request has passed that waits for an answer; before its answer can pass where there is a desk. */
  readonly onBegin?: (call: CallEvent) => void;
  readonly clock: Clock;
  /** Milliseconds since the journal's first moment, for the times of calls. */
  readonly at?: (moment?: number) => number;
  /** Decides which answers are sent in another shape; the calls report what the server sent. */
  readonly desk?: ShapeDesk;
  /** Ends the consumer's input, where the stream itself cannot. */
  readonly hangUp?: () => void;
  /** How the server ended, once it has; undefined where it was asked to. */
  readonly ended?: Promise<string | undefined>;
}

export interface StdioRelay {
  /** Resolves when both sides have ended, and every call was reported. Never rejects. */
  readonly done: Promise<void>;
  /** Requests without an answer, as far as they have come. */
  callsInFlight(): readonly CallEvent[];
}

export function relayStdio(options: StdioRelayOptions): StdioRelay {
  const { consumerIn, consumerOut, providerIn, providerOut, desk } = options;
  const calls = new StdioCalls(options);
  const gate = gateTo(consumerOut, options);
  const asked = new LineWatch((line) => {
    calls.asked(line);
    if (!line.isCut) gate?.asked(line.bytes);
  });
  const answered = new LineWatch((line) => calls.answered(line));
  const watch = (bytes: Buffer): void => answered.push(bytes);
  const allAnswered = pass(providerOut, consumerOut, watch, gate, options.hangUp).then(async () => {
    answered.end();
    // A server may close its output and go on.
    const end = consumerIn.readableEnded ? undefined : options.ended;
    calls.cut(end && (await within(options.clock, 500, end)));
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

/** Resolves when the source has ended and the sink has taken all. If the sink fails, the rest is read and dropped. */
function pass(
  source: Readable,
  sink: Writable,
  look: (bytes: Buffer) => void,
  gate?: AnswerGate | OwnAnswers,
  hangUp?: () => void,
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
      if (isBroken || sink.destroyed || (gate instanceof AnswerGate && gate.hasHungUp)) resolve();
      else if (!sink.writableEnded)
        sink.end(() => {
          hangUp?.();
          resolve();
        });
    };
    source.once('end', over).once('close', over).once('error', over);
  });
}
