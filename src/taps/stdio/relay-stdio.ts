/** Stands between a consumer and a tool server that speak in lines: passes everything on as it is, and tells the calls in it. */
import type { Readable, Writable } from 'node:stream';
import type { CallEvent } from '../../journal/call-event.ts';
import type { Emit } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { LineWatch } from './line-watch.ts';
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
}

export interface StdioRelay {
  /** Resolves when both sides have said their last word, and every call was told. Never rejects. */
  readonly done: Promise<void>;
  /** Requests without an answer, as far as they have come. */
  callsInFlight(): readonly CallEvent[];
}

export function relayStdio(options: StdioRelayOptions): StdioRelay {
  const { consumerIn, consumerOut, providerIn, providerOut } = options;
  const calls = new StdioCalls(options);
  const asked = new LineWatch((line) => calls.asked(line));
  const answered = new LineWatch((line) => calls.answered(line));
  const allAnswered = pass(providerOut, consumerOut, (bytes) => answered.push(bytes)).then(() => {
    answered.end();
    calls.cut();
  });
  const allAsked = pass(consumerIn, providerIn, (bytes) => asked.push(bytes)).then(() => asked.end());
  const done = Promise.all([allAnswered, allAsked]).then(() => calls.close());
  return { done, callsInFlight: () => calls.views() };
}

/** Resolves when the source is over and the sink has taken all of it. A sink that breaks hears no more, and what still comes is read and dropped. */
function pass(source: Readable, sink: Writable, look: (bytes: Buffer) => void): Promise<void> {
  let isBroken = false;
  const broke = (): void => {
    isBroken = true;
    source.resume();
  };
  sink.on('error', broke).on('close', broke);
  sink.on('drain', () => source.resume());
  source.on('data', (chunk: Buffer | string) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (!isBroken && !sink.write(bytes)) source.pause();
    look(bytes);
  });
  return new Promise((resolve) => {
    const over = (): void => {
      if (isBroken) resolve();
      else if (!sink.writableEnded) sink.end(() => resolve());
    };
    source.once('end', over).once('close', over).once('error', over);
  });
}
