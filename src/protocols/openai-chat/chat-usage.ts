/** Usage of chat completions: read from what came, printed as the provider does. */
import { isMap } from '../../kernel/is-map.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { JsonObject, Usage } from '../turn/turn.ts';

/** Undefined where it is absent. */
export function readChatUsage(value: unknown, notes: FoldNotes): Usage | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isMap(value)) return notes.fault('usage', `the usage is ${shownValue(value)}, not an object`);
  const { prompt_tokens: input, completion_tokens: output } = value;
  if (input === undefined && output === undefined) return undefined;
  if (!isCount(input ?? 0) || !isCount(output ?? 0))
    return notes.fault('usage', `the usage counts ${shownValue(input)} and ${shownValue(output)} tokens`);
  const cachedInput = isMap(value.prompt_tokens_details)
    ? value.prompt_tokens_details.cached_tokens
    : undefined;
  const reasoning = isMap(value.completion_tokens_details)
    ? value.completion_tokens_details.reasoning_tokens
    : undefined;
  return {
    input: Number(input ?? 0),
    output: Number(output ?? 0),
    ...(isCount(cachedInput) ? { cachedInput } : {}),
    ...(isCount(reasoning) ? { reasoning } : {}),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function printChatUsage(usage: Usage): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cachedInput ?? 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning ?? 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
