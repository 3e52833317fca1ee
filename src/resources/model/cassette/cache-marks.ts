/** Marks that tell a provider what to keep in its cache: the model sees the same with and without them. */
import { isMap } from '../../../kernel/is-map.ts';
import type { RequestParts } from './cassette.ts';

export function withoutCacheMarks(parts: RequestParts): RequestParts {
  const kept = Object.entries(parts.parameters).filter(([name]) => !ofTheCache.has(name));
  return {
    ...parts,
    tools: Object.fromEntries(Object.entries(parts.tools).map(([name, tool]) => [name, unmarkedTool(tool)])),
    messages: parts.messages.map(unmarked),
    parameters: Object.fromEntries(kept),
  };
}

/** Not `cachedContent` of Gemini, which stands for a part of the prompt. */
const ofTheCache = new Set(['cache_control', 'prompt_cache_key', 'prompt_cache_retention']);

/** A message or a block, and the blocks in it; arguments and schemas may have the same name for something else. */
function unmarked(value: unknown): unknown {
  if (!isMap(value)) return value;
  const { cache_control: _, ...rest } = value;
  return Array.isArray(rest.content) ? { ...rest, content: rest.content.map(unmarked) } : rest;
}

/** Gateways that speak the dialect of OpenAI take it at either place. */
function unmarkedTool(tool: unknown): unknown {
  const own = unmarked(tool);
  return isMap(own) && isMap(own.function) ? { ...own, function: unmarked(own.function) } : own;
}
