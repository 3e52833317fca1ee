/** What the makers of Anthropic's shapes have alike: a turn as events that can be changed, and changed events as an answer. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { anthropicDialect } from '../anthropic/anthropic-dialect.ts';
import type { PrintedEvent } from '../turn/dialect.ts';
import type { JsonObject, Turn } from '../turn/turn.ts';
import type { MakeAnswer, ShapeInput, WireAnswer } from './shape.ts';
import { answerOfBody, answerOfEvents, type EventsOptions } from './wire-answer.ts';

/** An event as the object that its data is. */
export interface WireEvent {
  readonly type: string;
  readonly index?: number;
  readonly [field: string]: unknown;
}

type ChangeEvents = (events: readonly WireEvent[], input: ShapeInput) => readonly WireEvent[] | undefined;

/** A shape that only a stream can have. */
export function streamed(change: ChangeEvents, options: EventsOptions = {}): MakeAnswer {
  return (input) => {
    const events = input.streamed ? change(eventsOf(input.turn, input), input) : undefined;
    return events === undefined ? undefined : answerOfEvents(events.map(printed), options);
  };
}

/** A shape that is another turn on the wire, and that streams and bodies have alike. */
export function rewritten(change: (input: ShapeInput) => Turn | undefined): MakeAnswer {
  return (input) => {
    const turn = change(input);
    return turn === undefined ? undefined : plainAnswer(turn, input);
  };
}

export function plainAnswer(turn: Turn, { streamed: isStreamed, about }: ShapeInput): WireAnswer {
  return isStreamed
    ? answerOfEvents(anthropicDialect.printEvents(turn, about))
    : answerOfBody(anthropicDialect.printBody(turn, about));
}

export function eventsOf(turn: Turn, { about }: ShapeInput): readonly WireEvent[] {
  return anthropicDialect.printEvents(turn, about).map(({ data }) => parseExactJson(data) as WireEvent);
}

export function printed(event: WireEvent): PrintedEvent {
  return { event: event.type, data: JSON.stringify(event) };
}

/** Of a start the block, of a delta the delta. */
export function inner(event: WireEvent, field: 'content_block' | 'delta' | 'message'): JsonObject {
  return (event[field] ?? {}) as JsonObject;
}

export function startsBlock(event: WireEvent, type?: string): boolean {
  return (
    event.type === 'content_block_start' &&
    (type === undefined || inner(event, 'content_block').type === type)
  );
}

export function isDelta(event: WireEvent, type: string): boolean {
  return event.type === 'content_block_delta' && inner(event, 'delta').type === type;
}

export function delta(index: number | undefined, fields: JsonObject): WireEvent {
  return { type: 'content_block_delta', index: index ?? 0, delta: fields };
}
