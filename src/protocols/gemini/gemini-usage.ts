/** Usage as Gemini counts it: thoughts stand beside the output of the candidates, the cache inside of the prompt. */
import { isMap, type JsonMap } from '../json-rpc/is-map.ts';
import type { JsonObject, Usage } from '../turn/turn.ts';

/** Undefined where there is none. Counts of nothing are left out on the wire. */
export function readUsage(raw: unknown): Usage | undefined {
  if (!isMap(raw)) return undefined;
  const cached = tokens(raw, 'cachedContentTokenCount');
  const thoughts = tokens(raw, 'thoughtsTokenCount');
  return {
    input: (tokens(raw, 'promptTokenCount') ?? 0) + (tokens(raw, 'toolUsePromptTokenCount') ?? 0),
    output: (tokens(raw, 'candidatesTokenCount') ?? 0) + (thoughts ?? 0),
    ...(cached === undefined ? {} : { cachedInput: cached }),
    ...(thoughts === undefined ? {} : { reasoning: thoughts }),
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
    ...(cachedInput === undefined ? {} : { cachedContentTokenCount: cachedInput }),
    ...(reasoning === undefined ? {} : { thoughtsTokenCount: reasoning }),
  };
}
