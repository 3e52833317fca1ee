/** Usage as the Anthropic messages API counts it: cache reads and writes are separate from the input. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { JsonObject, Usage } from '../turn/turn.ts';

/** Cumulative: the fields of a later event replace those of an earlier one, and the others stay. */
export interface UsageCount {
  input?: number | undefined;
  output?: number | undefined;
  cacheRead?: number | undefined;
  cacheWritten?: number | undefined;
  /** Of that, what is kept for an hour and not for five minutes. */
  cacheWritten1h?: number | undefined;
  thinking?: number | undefined;
}

export function countUsage(count: UsageCount, usage: unknown): void {
  if (!isMap(usage)) return;
  count.input = tokens(usage, 'input_tokens') ?? count.input;
  count.output = tokens(usage, 'output_tokens') ?? count.output;
  count.cacheRead = tokens(usage, 'cache_read_input_tokens') ?? count.cacheRead;
  count.cacheWritten = tokens(usage, 'cache_creation_input_tokens') ?? count.cacheWritten;
  const { cache_creation: written } = usage;
  if (isMap(written))
    count.cacheWritten1h = tokens(written, 'ephemeral_1h_input_tokens') ?? count.cacheWritten1h;
  const details = usage.output_tokens_details;
  if (isMap(details)) count.thinking = tokens(details, 'thinking_tokens') ?? count.thinking;
}

function tokens(usage: JsonMap, name: string): number | undefined {
  const value = usage[name];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

export function usageOf(count: UsageCount): Usage | null {
  if (count.input === undefined && count.output === undefined) return null;
  const { input = 0, output = 0, cacheRead, cacheWritten = 0, cacheWritten1h = 0, thinking } = count;
  const cacheWrite1h = Math.min(cacheWritten1h, cacheWritten);
  return {
    input: input + (cacheRead ?? 0) + cacheWritten,
    output,
    ...(cacheRead === undefined ? {} : { cachedInput: cacheRead }),
    ...(cacheWritten > 0 ? { cacheWrite5m: cacheWritten - cacheWrite1h, cacheWrite1h } : {}),
    ...(thinking === undefined ? {} : { reasoning: thinking }),
  };
}

export function printUsage(usage: Usage | undefined): JsonObject {
  const { output = 0, cacheWrite5m = 0, cacheWrite1h = 0, reasoning } = usage ?? {};
  return {
    ...printInput(usage),
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite5m, ephemeral_1h_input_tokens: cacheWrite1h },
    output_tokens: output,
    output_tokens_details: printDetails(reasoning),
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: null,
  };
}

/** At the end of a stream: what was counted, and not how it was served. */
export function printEndUsage(usage: Usage | undefined): JsonObject {
  const { output = 0, reasoning } = usage ?? {};
  return {
    ...printInput(usage),
    output_tokens: output,
    output_tokens_details: printDetails(reasoning),
    server_tool_use: null,
  };
}

function printInput(usage: Usage | undefined): JsonObject {
  const { input = 0, cachedInput = 0, cacheWrite5m = 0, cacheWrite1h = 0 } = usage ?? {};
  const written = cacheWrite5m + cacheWrite1h;
  return {
    input_tokens: Math.max(0, input - cachedInput - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cachedInput,
  };
}

function printDetails(reasoning: number | undefined): JsonObject | null {
  return reasoning === undefined ? null : { thinking_tokens: reasoning };
}
