/** Prints a turn as the Anthropic messages API sends it: one JSON body, or the events of a stream in the plainest legal shape. */
import { defined } from '../../kernel/defined.ts';
import { isMap } from '../../kernel/is-map.ts';
import { cutText } from '../turn/cut-text.ts';
import type { PrintAbout, PrintedEvent } from '../turn/dialect.ts';
import type { JsonObject, Turn, TurnPart, Usage } from '../turn/turn.ts';
import { argumentsValue } from '../turn/written-arguments.ts';
import { printEndUsage, printUsage } from './anthropic-usage.ts';
import { wordsOfStops } from './anthropic-words.ts';

export function printAnthropicBody(turn: Turn, about: PrintAbout): JsonObject {
  const { parts, explanation } = sayable(turn);
  const stop = stopFields(turn, explanation, about);
  return printMessage(about, parts.flatMap(blocksOf), stop, printUsage(turn.usage));
}

function printMessage(
  { id, model }: PrintAbout,
  content: readonly JsonObject[],
  stop: JsonObject,
  usage: JsonObject,
): JsonObject {
  const rest = { container: null, diagnostics: null, usage };
  return { id, type: 'message', role: 'assistant', model, content, ...stop, ...rest };
}

/** Of the sequences that were asked for, the first one has ended it. */
function stopFields(turn: Turn, explanation: string | undefined, { request }: PrintAbout): JsonObject {
  const asked = Array.isArray(request?.stop_sequences) ? request.stop_sequences : [];
  return {
    stop_reason: wordsOfStops[turn.stop],
    stop_sequence: turn.stop === 'stop-sequence' ? (asked[0] ?? null) : null,
    stop_details: explanation === undefined ? null : { type: 'refusal', category: null, explanation },
  };
}

/** A refusal that ends the turn is explained next to the content; otherwise it is text. */
function sayable(turn: Turn): { readonly parts: readonly TurnPart[]; readonly explanation?: string } {
  const last = turn.parts.at(-1);
  return turn.stop === 'refusal' && last?.kind === 'refusal'
    ? { parts: turn.parts.slice(0, -1), explanation: last.text }
    : { parts: turn.parts };
}

/** Mostly one; reasoning that is readable in part takes two. */
export function blocksOf(part: TurnPart): readonly JsonObject[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return [{ type: 'text', text: part.text }];
    case 'reasoning':
      return reasoningBlocks(part);
    case 'call':
      return [
        {
          type: 'tool_use',
          id: part.id,
          name: part.name,
          input: argumentsValue(part),
          caller: { type: 'direct' },
        },
      ];
    case 'other':
      return [
        isMap(part.value) ? { ...part.value, type: part.type } : { type: part.type, value: part.value },
      ];
  }
}

function reasoningBlocks(part: Extract<TurnPart, { readonly kind: 'reasoning' }>): readonly JsonObject[] {
  const { text, signature = '', redacted } = part;
  const readable = { type: 'thinking', thinking: text, signature };
  if (redacted === undefined) return [readable];
  const hidden = { type: 'redacted_thinking', data: redacted };
  return text === '' && signature === '' ? [hidden] : [readable, hidden];
}

export function printAnthropicEvents(turn: Turn, about: PrintAbout): readonly PrintedEvent[] {
  const { parts, explanation } = sayable(turn);
  const events: PrintedEvent[] = [startOf(about, turn.usage)];
  let index = 0;
  for (const part of parts) {
    for (const block of blocksOf(part)) {
      const raw = part.kind === 'call' ? part.raw : undefined;
      printBlock(events, { index, block, ...defined({ raw }) }, about.pieceChars);
      index += 1;
    }
  }
  const delta = { ...stopFields(turn, explanation, about), container: null };
  events.push(printed('message_delta', { type: 'message_delta', delta, usage: printEndUsage(turn.usage) }), {
    event: 'message_stop',
    data: '{"type":"message_stop"}',
  });
  return events;
}

function printed(event: string, json: JsonObject): PrintedEvent {
  return { event, data: JSON.stringify(json) };
}

/** The input is known at the start; the output is reported as it grows. */
function startOf(about: PrintAbout, usage: Usage | undefined): PrintedEvent {
  const { output = 0, reasoning: _, ...counts } = usage ?? { input: 0 };
  const usedYet = printUsage({ ...counts, output: Math.min(1, output) });
  const notYet = { stop_reason: null, stop_sequence: null, stop_details: null };
  const message = printMessage(about, [], notYet, usedYet);
  return printed('message_start', { type: 'message_start', message });
}

interface PlacedBlock {
  readonly index: number;
  readonly block: JsonObject;
  /** Its input, where that is given as a text. */
  readonly raw?: string;
}

/** Most of a stream are deltas, so that only their texts go through the printer of JSON. */
function printBlock(events: PrintedEvent[], { index, block, raw }: PlacedBlock, pieceChars: number): void {
  const add = (type: string, field: string, text: string): void => {
    const head = `{"type":"content_block_delta","index":${index},"delta":{"type":"${type}","${field}":`;
    for (const piece of cutText(text, pieceChars))
      events.push({ event: 'content_block_delta', data: `${head}${JSON.stringify(piece)}}}` });
  };
  const start = (content_block: JsonObject): void => {
    events.push(printed('content_block_start', { type: 'content_block_start', index, content_block }));
  };
  if (block.type === 'text') {
    start({ ...block, text: '' });
    add('text_delta', 'text', String(block.text));
  } else if (block.type === 'thinking') {
    start({ ...block, thinking: '', signature: '' });
    add('thinking_delta', 'thinking', String(block.thinking));
    if (block.signature !== '') {
      const delta = { type: 'signature_delta', signature: block.signature };
      events.push(printed('content_block_delta', { type: 'content_block_delta', index, delta }));
    }
  } else if (block.type === 'tool_use') {
    start({ ...block, input: {} });
    add('input_json_delta', 'partial_json', raw ?? JSON.stringify(block.input));
  } else start(block);
  events.push({ event: 'content_block_stop', data: `{"type":"content_block_stop","index":${index}}` });
}
