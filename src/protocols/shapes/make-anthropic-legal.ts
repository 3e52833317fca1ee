/** Makers of the shapes of Anthropic's events that are legal, or are accepted everywhere. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import type { Random } from '../../kernel/random.ts';
import { blocksOf } from '../anthropic/print-anthropic.ts';
import { cutText } from '../turn/cut-text.ts';
import type { JsonObject } from '../turn/turn.ts';
import {
  delta,
  eventsOf,
  inner,
  isDelta,
  plainAnswer,
  printed,
  startsBlock,
  streamed,
  type WireEvent,
} from './anthropic-events.ts';
import type { MakeAnswer } from './shape.ts';
import { answerOfEvents } from './wire-answer.ts';

const ping: WireEvent = { type: 'ping' };

export const anthropicVariants: Readonly<Record<string, MakeAnswer>> = {
  A02: streamed((events, { random }) => [
    ping,
    ...events.flatMap((event) => (random.next() < 0.5 ? [event, ping] : [event])),
  ]),
  /** The first fragment of each block is in its start already; for a call the whole input. */
  A03: streamed((events) => {
    const changed = events.flatMap((event) => {
      if (startsBlock(event)) return [carrying(event, events)];
      return isCarried(event, events) ? [] : [event];
    });
    return changed.some((event) => startsBlock(event) && isFilled(inner(event, 'content_block')))
      ? changed
      : undefined;
  }),
  /** Some of the blocks are there from the beginning, and are not streamed. */
  A04: streamed((events, { turn, random }) => {
    const blocks = turn.parts.flatMap(blocksOf);
    const [start, ...rest] = events;
    const sent = events.filter((event) => startsBlock(event)).length;
    if (start === undefined || sent === 0) return undefined;
    const content = blocks.slice(0, random.integer(1, sent));
    const message = { ...inner(start, 'message'), content };
    return [
      { ...start, message },
      ...rest.filter(({ index }) => index === undefined || index >= content.length),
    ];
  }),
  A05: streamed((events, { random }) => {
    const [start, ...rest] = events;
    const at = random.integer(0, rest.length - 2);
    return start === undefined ? undefined : [start, ...rest.slice(0, at), start, ...rest.slice(at)];
  }),
  A07: streamed((events) =>
    events.some((event) => startsBlock(event, 'tool_use'))
      ? events.flatMap((event) =>
          startsBlock(event, 'tool_use')
            ? [event, delta(event.index, { type: 'input_json_delta', partial_json: '' })]
            : [event],
        )
      : undefined,
  ),
  /** Calls without arguments have no fragment at all. */
  A08: streamed((events, { turn }) =>
    turn.parts.some((part) => part.kind === 'call' && Object.keys(part.arguments).length === 0)
      ? events.filter((event) => !isDelta(event, 'input_json_delta') || !isWholeEmpty(event, events))
      : undefined,
  ),
  /** One character each, of JSON that is ASCII alone, so that escapes are cut in two. */
  A09: streamed((events, { turn }) =>
    turn.parts.some(({ kind }) => kind === 'call')
      ? events.flatMap((event) => {
          if (!isDelta(event, 'input_json_delta')) return [event];
          const json = escaped(String(inner(event, 'delta').partial_json));
          return [...json].map((partial_json) =>
            delta(event.index, { type: 'input_json_delta', partial_json }),
          );
        })
      : undefined,
  ),
  A11: streamed((events, { random }) =>
    events.some(
      (event) => isDelta(event, 'signature_delta') && String(inner(event, 'delta').signature).length > 1,
    )
      ? events.flatMap((event) => (isDelta(event, 'signature_delta') ? signatures(event, random) : [event]))
      : undefined,
  ),
  /** The counts grow with each `message_delta`; the last ones hold, and what they leave out stays as it was. */
  A21: streamed((events, { turn, random }) => {
    const at = events.findIndex(({ type }) => type === 'message_delta');
    const last = events[at];
    const started = inner(events[0] as WireEvent, 'message').usage as object;
    if (last === undefined || turn.usage === undefined) return undefined;
    const { output } = turn.usage;
    const input = random.pick([{}, { input_tokens: null }, { ...started }]);
    const early = [1, 2].map(
      (part): WireEvent => ({
        type: 'message_delta',
        delta: { stop_reason: null, stop_sequence: null },
        usage: { ...input, output_tokens: Math.floor((output * part) / 3) },
      }),
    );
    const usage = { ...input, ...(last.usage as object) };
    return [...events.slice(0, at), ...early, { ...last, usage }, ...events.slice(at + 1)];
  }),
  A24: (input) =>
    input.streamed
      ? answerOfEvents(eventsOf(input.turn, input).map((event) => ({ data: printed(event).data })))
      : undefined,
  /** Every call, streamed or not: a gateway must give the same arguments both ways. */
  A25: (input) =>
    input.turn.parts.some(({ kind }) => kind === 'call') ? plainAnswer(input.turn, input) : undefined,
  /** Types of a newer version between the known ones. */
  A26: streamed((events) => {
    const [start, ...rest] = events;
    if (start === undefined) return undefined;
    const block = { type: 'hologram', frames: [1, 2] };
    const added: WireEvent[] = [
      { type: 'content_block_start', index: 0, content_block: block },
      delta(0, { type: 'hologram_delta', frames: [3] }),
      { type: 'content_block_stop', index: 0 },
    ];
    const later = rest.flatMap((event) => {
      const moved = event.index === undefined ? event : { ...event, index: event.index + 1 };
      return startsBlock(moved, 'text')
        ? [moved, citation(moved), delta(moved.index, { type: 'tone_delta', tone: 'warm' })]
        : [moved];
    });
    return [start, { type: 'message_note', note: 'of a newer version' }, ...added, ...later];
  }),
};

function isFilled({ text, thinking, signature, input }: JsonObject): boolean {
  return [text, thinking, signature].some(Boolean) || Object.keys(input ?? {}).length > 0;
}

function carrying(start: WireEvent, events: readonly WireEvent[]): WireEvent {
  const block = inner(start, 'content_block');
  const own = deltasOf(start, events).map((event) => inner(event, 'delta'));
  const first = (type: string, field: string): unknown => own.find((one) => one.type === type)?.[field] ?? '';
  if (block.type === 'text')
    return { ...start, content_block: { ...block, text: first('text_delta', 'text') } };
  if (block.type === 'thinking') {
    const thinking = first('thinking_delta', 'thinking');
    return {
      ...start,
      content_block: { ...block, thinking, signature: first('signature_delta', 'signature') },
    };
  }
  if (block.type !== 'tool_use') return start;
  const input: unknown = parseExactJson(own.map(({ partial_json }) => partial_json).join(''));
  return { ...start, content_block: { ...block, input } };
}

function deltasOf(start: WireEvent, events: readonly WireEvent[]): readonly WireEvent[] {
  return events.filter(({ type, index }) => type === 'content_block_delta' && index === start.index);
}

function isCarried(event: WireEvent, events: readonly WireEvent[]): boolean {
  if (event.type !== 'content_block_delta') return false;
  const { type } = inner(event, 'delta');
  if (type === 'input_json_delta') return true;
  return deltasOf(event, events).find((one) => inner(one, 'delta').type === type) === event;
}

function isWholeEmpty(event: WireEvent, events: readonly WireEvent[]): boolean {
  const fragments = deltasOf(event, events).map((one) => inner(one, 'delta').partial_json);
  return fragments.join('') === '{}';
}

function escaped(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function signatures(event: WireEvent, random: Random): readonly WireEvent[] {
  const whole = String(inner(event, 'delta').signature);
  return cutText(whole, random.integer(1, Math.max(1, Math.floor(whole.length / 2)))).map((signature) =>
    delta(event.index, { type: 'signature_delta', signature }),
  );
}

function citation({ index }: WireEvent): WireEvent {
  const cited = {
    type: 'char_location',
    cited_text: 'a',
    document_index: 0,
    start_char_index: 0,
    end_char_index: 1,
  };
  return delta(index, { type: 'citations_delta', citation: cited });
}
