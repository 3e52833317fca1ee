/** Prints a turn as the one JSON body of the Anthropic messages API. */
import { isMap } from '../../kernel/is-map.ts';
import type { PrintAbout } from '../turn/dialect.ts';
import type { JsonObject, Turn, TurnPart } from '../turn/turn.ts';
import { printUsage } from './anthropic-usage.ts';
import { wordOfStop } from './anthropic-words.ts';

export function printAnthropicBody(turn: Turn, about: PrintAbout): JsonObject {
  const { parts, explanation } = sayable(turn);
  return {
    id: about.id,
    type: 'message',
    role: 'assistant',
    model: about.model,
    content: parts.flatMap(blocksOf),
    ...stopFields(turn, explanation, about),
    container: null,
    diagnostics: null,
    usage: printUsage(turn.usage),
  };
}

/** Of the sequences that were asked for, the first one has ended it. */
export function stopFields(turn: Turn, explanation: string | undefined, { request }: PrintAbout): JsonObject {
  const asked = Array.isArray(request?.stop_sequences) ? request.stop_sequences : [];
  return {
    stop_reason: wordOfStop(turn.stop),
    stop_sequence: turn.stop === 'stop-sequence' ? (asked[0] ?? null) : null,
    stop_details: explanation === undefined ? null : { type: 'refusal', category: null, explanation },
  };
}

/** A refusal that ends the turn is explained next to the content; otherwise it is text. */
export function sayable(turn: Turn): { readonly parts: readonly TurnPart[]; readonly explanation?: string } {
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
        { type: 'tool_use', id: part.id, name: part.name, input: part.arguments, caller: { type: 'direct' } },
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
