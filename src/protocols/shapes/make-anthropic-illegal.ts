/** Makers of the shapes of Anthropic's events that break a rule, whatever the turn. */
import {
  delta,
  eventsOf,
  inner,
  isDelta,
  rewritten,
  startsBlock,
  streamed,
  type WireEvent,
} from './anthropic-events.ts';
import type { MakeAnswer, ShapeInput } from './shape.ts';

export const anthropicBreaches: Readonly<Record<string, MakeAnswer>> = {
  A01: streamed((events, { random }) => {
    const at = random.integer(1, events.length - 1);
    return [
      ...events.slice(0, at),
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ];
  }),
  /** A gateway tried again, and wrote the second answer behind the beginning of the first. */
  A06: streamed((events, input) => {
    const at = input.random.integer(1, events.length - 1);
    const again = eventsOf(input.turn, {
      ...input,
      about: { ...input.about, id: `${input.about.id}-again` },
    });
    return [...events.slice(0, at), ...again];
  }),
  A10: streamed((events, { turn }) => {
    const call = events.find(
      (event) => startsBlock(event, 'tool_use') && fragmentsOf(event, events).length > 2,
    );
    if (call === undefined || !turn.parts.some(({ kind }) => kind === 'call')) return undefined;
    const rest = fragmentsOf(call, events).slice(2);
    const without = events.filter(
      (event) => !(isDelta(event, 'input_json_delta') && event.index === call.index),
    );
    return without.flatMap((event) =>
      event === call ? [event, delta(call.index, { type: 'input_json_delta', partial_json: rest })] : [event],
    );
  }),
  A16: streamed((events, { random }) => {
    const stray: WireEvent = {
      type: 'content_block_stop',
      index: events.filter((event) => startsBlock(event)).length,
    };
    const unopened = [...events.slice(0, -2), stray, ...events.slice(-2)];
    if (!events.some((event) => startsBlock(event))) return unopened;
    const moved = (by: number): readonly WireEvent[] =>
      events.map((event) => (event.index === undefined ? event : { ...event, index: event.index + by }));
    return random.pick([unopened, moved(1), moved(-1)]);
  }),
  A17: streamed((events) => {
    const second = events.findIndex((event) => startsBlock(event) && event.index === 1);
    const [stop, start] = [events[second - 1], events[second]];
    if (stop === undefined || start === undefined) return undefined;
    return [...events.slice(0, second - 1), start, stop, ...events.slice(second + 1)];
  }),
  A18: streamed((events) => {
    const at = events.findIndex((event) => startsBlock(event, 'text'));
    if (at === -1) return undefined;
    const stray = delta(events[at]?.index, { type: 'thinking_delta', thinking: 'Let me see.' });
    return [...events.slice(0, at + 1), stray, ...events.slice(at + 1)];
  }),
  A20: rewritten(({ turn }: ShapeInput) => ({
    ...turn,
    parts: [],
    stop: 'tool-calls',
  })),
  A22: streamed((events) => events.slice(0, -1)),
};

function fragmentsOf({ index }: WireEvent, events: readonly WireEvent[]): string {
  const own = events.filter((event) => isDelta(event, 'input_json_delta') && event.index === index);
  return own.map((event) => inner(event, 'delta').partial_json).join('');
}
