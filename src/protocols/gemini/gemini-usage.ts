/** Usage as Gemini counts it: thoughts are separate from the candidates' output, the cache is part of the prompt. */
import { defined } from '../../kernel/defined.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { JsonObject, Usage } from '../turn/turn.ts';

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
