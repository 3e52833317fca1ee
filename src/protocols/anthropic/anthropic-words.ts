/** The stop reasons of the Anthropic messages API, and ours. */
import type { StopReason } from '../turn/turn.ts';

const stops: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  stop_sequence: 'stop-sequence',
  pause_turn: 'pause',
  compaction: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'context',
};

export const wordsOfStops: Readonly<Record<StopReason, string>> = {
  end: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  filter: 'refusal',
  refusal: 'refusal',
  'stop-sequence': 'stop_sequence',
  pause: 'pause_turn',
  context: 'model_context_window_exceeded',
  other: 'end_turn',
};

export function stopOfWord(word: string): StopReason {
  return Object.hasOwn(stops, word) ? (stops[word] as StopReason) : 'other';
}
