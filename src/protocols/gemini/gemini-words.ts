/** The finish reasons and the usage of Gemini, and ours: thoughts count apart from the output, the cache is part of the prompt. */
import { defined } from '../../kernel/defined.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { JsonObject, StopReason, Usage } from '../turn/turn.ts';

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

export const wordsOfStops: Readonly<Record<StopReason, string>> = {
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

/** Undefined where there is none. Counts of nothing are left out on the wire. */
export function readUsage(raw: unknown): Usage | undefined {
  if (!isMap(raw)) return undefined;
  const cached = tokens(raw, 'cachedContentTokenCount');
  const thoughts = tokens(raw, 'thoughtsTokenCount');
  return {
    input: (tokens(raw, 'promptTokenCount') ?? 0) + (tokens(raw, 'toolUsePromptTokenCount') ?? 0),
    output: (tokens(raw, 'candidatesTokenCount') ?? 0) + (thoughts ?? 0),
    ...defined({ cachedInput: cached, reasoning: thoughts }),
  };
}

function tokens(usage: JsonMap, name: string): number | undefined {
  const value = usage[name];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

export function printUsage({ input, output, cachedInput, reasoning }: Usage): JsonObject {
  return {
    promptTokenCount: input,
    candidatesTokenCount: Math.max(0, output - (reasoning ?? 0)),
    totalTokenCount: input + output,
    ...defined({ cachedContentTokenCount: cachedInput, thoughtsTokenCount: reasoning }),
  };
}
