/** Prints a turn as the events of a streamed Anthropic answer, in the plainest legal shape. */
import { cutText } from '../turn/cut-text.ts';
import type { PrintAbout, PrintedEvent } from '../turn/dialect.ts';
import type { JsonObject, Turn, Usage } from '../turn/turn.ts';
import { printEndUsage, printUsage } from './anthropic-usage.ts';
import { blocksOf, sayable, stopFields } from './print-anthropic-body.ts';

export function printAnthropicEvents(turn: Turn, about: PrintAbout): readonly PrintedEvent[] {
  const { parts, explanation } = sayable(turn);
  const events: PrintedEvent[] = [startOf(about, turn.usage)];
  let index = 0;
  for (const part of parts) {
    for (const block of blocksOf(part)) {
      printBlock(events, index, block, about.pieceChars);
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
  return printed('message_start', {
    type: 'message_start',
    message: {
      id: about.id,
      type: 'message',
      role: 'assistant',
      model: about.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: printUsage({ ...counts, output: Math.min(1, output) }),
    },
  });
}

/** Most of a stream are deltas, so that only their texts go through the printer of JSON. */
function printBlock(events: PrintedEvent[], index: number, block: JsonObject, pieceChars: number): void {
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
    add('input_json_delta', 'partial_json', JSON.stringify(block.input));
  } else start(block);
  events.push({ event: 'content_block_stop', data: `{"type":"content_block_stop","index":${index}}` });
}
