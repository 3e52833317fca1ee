/** Makers of the shapes of Anthropic's answers that are about which blocks there are, in which order, and how they end. */
import { anthropicDialect } from '../anthropic/anthropic-dialect.ts';
import { cutText } from '../turn/cut-text.ts';
import { seal } from '../turn/seal.ts';
import type { StopReason, Turn, TurnPart } from '../turn/turn.ts';
import {
  delta,
  eventsOf,
  inner,
  plainAnswer,
  printed,
  rewritten,
  startsBlock,
  type WireEvent,
} from './anthropic-events.ts';
import type { MakeAnswer, ShapeInput } from './shape.ts';
import { answerOfBody, answerOfEvents } from './wire-answer.ts';

type Reasoning = Extract<TurnPart, { readonly kind: 'reasoning' }>;

/** Without a text it is reasoning that the provider keeps to itself. */
function signed(text = ''): Reasoning {
  return { kind: 'reasoning', text, signature: seal(text) };
}

/** A model that was not asked to think, and did not, has no thoughts to be sent. */
function rethought(rewrite: Parameters<typeof rewritten>[0]): MakeAnswer {
  const make = rewritten(rewrite);
  return (input) =>
    input.asked.thinking || input.turn.parts.some(({ kind }) => kind === 'reasoning')
      ? make(input)
      : undefined;
}

export const anthropicTurns: Readonly<Record<string, MakeAnswer>> = {
  A12: rethought(({ turn }) => {
    const isThere = turn.parts.some(
      (part) => part.kind === 'reasoning' && part.text === '' && part.signature !== undefined,
    );
    return isThere ? turn : { ...turn, parts: [signed(), ...turn.parts] };
  }),
  A13: rethought(({ turn, random }) => {
    const isThere = turn.parts.some((part) => part.kind === 'reasoning' && part.redacted !== undefined);
    const hidden: Reasoning = { kind: 'reasoning', text: '', redacted: seal(random.hex(16)) };
    return isThere ? turn : { ...turn, parts: [hidden, ...turn.parts] };
  }),
  A14: rethought(({ turn }) => {
    const at = turn.parts.findIndex((part) => part.kind === 'reasoning' && part.text.length > 1);
    const whole = turn.parts[at];
    const two = whole?.kind === 'reasoning' ? halves(whole) : [signed(), signed()];
    return { ...turn, parts: [...turn.parts.slice(0, Math.max(0, at)), ...two, ...turn.parts.slice(at + 1)] };
  }),
  A15: rethought(({ turn }) => {
    const thoughts = turn.parts.filter(({ kind }) => kind === 'reasoning');
    const said = thoughts.length === 0 ? [signed()] : thoughts;
    const [first, ...others] = turn.parts.filter(({ kind }) => kind !== 'reasoning');
    if (first === undefined || (first.kind === 'call' && others.length === 0)) return undefined;
    const later = others.flatMap((part): readonly TurnPart[] =>
      part.kind === 'call' ? [signed(), part] : [part],
    );
    return { ...turn, parts: [first, ...said, ...later] };
  }),
  A19: (input) => {
    const { turn, random } = input;
    const isUnusual = unusualStops.some((stop) => stop === turn.stop);
    const ended: Turn = isUnusual ? turn : { ...turn, stop: random.pick(unusualStops) };
    return ended.stop === 'pause' && random.next() < 0.5
      ? compacted(ended, input)
      : plainAnswer(ended, input);
  },
  /** A search that the provider makes itself, where the request offers it; its query is streamed like the input of any call. */
  A23: (input) => {
    if (!input.asked.hosted.includes('web_search')) return undefined;
    const { turn, random } = input;
    const id = `srvtoolu_${random.hex(16)}`;
    const query = { query: 'tides — 潮汐' };
    const found = [
      {
        type: 'web_search_result',
        url: 'https://example.test/',
        title: 'Tides',
        encrypted_content: random.hex(20),
      },
    ];
    const asked = { type: 'server_tool_use', id, name: 'web_search', input: query };
    const result = { type: 'web_search_tool_result', tool_use_id: id, content: found };
    const parts = [asked, result].map((value): TurnPart => ({ kind: 'other', type: value.type, value }));
    const searched: Turn = { ...turn, parts: [...parts, ...turn.parts] };
    if (!input.streamed) return plainAnswer(searched, input);
    const events = eventsOf(searched, input).flatMap((event) =>
      startsBlock(event, 'server_tool_use') ? streamedQuery(event, JSON.stringify(query)) : [event],
    );
    return answerOfEvents(events.map(printed));
  },
};

function halves(whole: Reasoning): readonly Reasoning[] {
  const [first = '', ...rest] = cutText(whole.text, Math.ceil(whole.text.length / 2));
  return [signed(first), { ...whole, ...signed(rest.join('')) }];
}

const unusualStops = ['pause', 'refusal', 'context'] as const satisfies readonly StopReason[];

function compacted(turn: Turn, input: ShapeInput): ReturnType<MakeAnswer> {
  const stop_reason = 'compaction';
  if (!input.streamed) return answerOfBody({ ...anthropicDialect.printBody(turn, input.about), stop_reason });
  const events = eventsOf(turn, input).map((event) =>
    event.type === 'message_delta' ? { ...event, delta: { ...inner(event, 'delta'), stop_reason } } : event,
  );
  return answerOfEvents(events.map(printed));
}

function streamedQuery(start: WireEvent, json: string): readonly WireEvent[] {
  const pieces = cutText(json, 5);
  return [
    { ...start, content_block: { ...inner(start, 'content_block'), input: {} } },
    ...pieces.map((partial_json) => delta(start.index, { type: 'input_json_delta', partial_json })),
  ];
}
