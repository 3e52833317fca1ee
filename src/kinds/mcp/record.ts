/** A recorded call of a tool server as an `mcp` step. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { isMap } from '../../kernel/is-map.ts';
import type { RecordedCall, StepRecorder } from '../kind/step-recorder.ts';

export const mcpRecorder: StepRecorder = {
  protocol: 'json-rpc',
  // Handshakes are the driver's own.
  write: (call, as, writing) => {
    const { method, params, error } = call;
    if (method === 'initialize' || method.startsWith('notifications/') || method === '?') return undefined;
    const path = call.path.split('?')[0] ?? call.path;
    const result = toolResult(call);
    const isError = error !== undefined || (isMap(call.result) && call.result.isError === true);
    return {
      step: {
        mcp: writing.target,
        ...(path === '/mcp' || path === 'stdio' ? {} : { path }),
        ...(writing.value(askedOf(method, params)) as object),
        as,
        expect: { isError },
      },
      result: result === undefined || isError ? {} : { result },
    };
  },
};

const lists: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'prompts/list': 'prompts',
};

function askedOf(method: string, params: unknown): object {
  if (Object.hasOwn(lists, method)) return { list: lists[method] };
  if (method === 'tools/call' && isMap(params))
    return { tool: params.name, ...(isMap(params.arguments) ? { args: params.arguments } : {}) };
  return { request: method, ...(isMap(params) ? { params } : {}) };
}

/** As a step `mcp` shows it: structured content, the JSON in the only text, or that text. */
function toolResult({ method, result }: RecordedCall): unknown {
  if (method !== 'tools/call' || !isMap(result)) return undefined;
  if (result.structuredContent !== undefined) return result.structuredContent;
  const [only, ...others] = Array.isArray(result.content) ? result.content : [];
  if (others.length > 0 || !isMap(only) || typeof only.text !== 'string') return undefined;
  try {
    return parseExactJson(only.text);
  } catch {
    return only.text; // a text that is not JSON stays as it is
  }
}
