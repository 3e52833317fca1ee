/** The finish reasons of Gemini, and ours. */
import type { StopReason } from '../turn/turn.ts';

/** By what they mean to the consumer; a reason that is not here is `other` too. */
export const finishReasons = {
  end: ['STOP'],
  length: ['MAX_TOKENS'],
  filter: [
    'SAFETY',
    'RECITATION',
    'LANGUAGE',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
    'SPII',
    'IMAGE_SAFETY',
    'IMAGE_PROHIBITED_CONTENT',
    'IMAGE_RECITATION',
    'MODEL_ARMOR',
  ],
  pause: ['CONTINUATION'],
  other: [
    'OTHER',
    'MALFORMED_FUNCTION_CALL',
    'UNEXPECTED_TOOL_CALL',
    'TOO_MANY_TOOL_CALLS',
    'MALFORMED_RESPONSE',
    'MISSING_THOUGHT_SIGNATURE',
    'NO_IMAGE',
    'IMAGE_OTHER',
    'FINISH_REASON_UNSPECIFIED',
  ],
} as const satisfies Partial<Record<StopReason, readonly string[]>>;

const stopOf: ReadonlyMap<string, StopReason> = new Map(
  Object.entries(finishReasons).flatMap(([stop, words]) =>
    words.map((word): [string, StopReason] => [word, stop as StopReason]),
  ),
);

/** The same reason ends a turn with calls and one without. */
export function stopOfWord(word: string, hasCalls: boolean): StopReason {
  return word === 'STOP' && hasCalls ? 'tool-calls' : (stopOf.get(word) ?? 'other');
}

const words: Readonly<Record<StopReason, string>> = {
  end: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  filter: 'SAFETY',
  refusal: 'SAFETY',
  'stop-sequence': 'STOP',
  pause: 'STOP',
  context: 'MAX_TOKENS',
  other: 'OTHER',
};

export function wordOfStop(stop: StopReason): string {
  return words[stop];
}
