/** What a fixture of aimock answers, as a line of a script. */
import { defined } from '../../../kernel/defined.ts';
import { exactJsonOr } from '../../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../../kernel/is-map.ts';
import { Problem } from '../../../kernel/problem.ts';
import { printValue } from '../../../patterns/print-value.ts';
import type { StopReason, Usage } from '../../../protocols/turn/turn.ts';
import type { ScriptedCall, ScriptLine } from '../script-line.ts';

/** Undefined where it is not an answer of a text model. */
export function responseToLine(response: JsonMap, where: string): ScriptLine | undefined {
  if (isMap(response.error)) return { error: errorOf(response, response.error) };
  const blocks = Array.isArray(response.blocks) ? response.blocks.filter(isMap) : [];
  const toolCalls = Array.isArray(response.toolCalls)
    ? response.toolCalls
    : blocks.filter(({ type }) => type === 'toolCall');
  const said = response.content ?? textIn(blocks);
  if (said === undefined && toolCalls.length === 0) return undefined;
  const stop = stopOf(response.finishReason);
  const usage = usageOf(response.usage);
  return {
    ...(typeof response.reasoning === 'string' ? { reasons: response.reasoning } : {}),
    ...(said === undefined ? {} : { says: typeof said === 'string' ? said : JSON.stringify(said) }),
    ...(toolCalls.length === 0
      ? {}
      : { calls: toolCalls.map((call, index) => callOf(call, `${where}, call ${index + 1}`)) }),
    ...defined({ stop, usage }),
  };
}

/** A turn has its text before its calls. */
function textIn(blocks: readonly JsonMap[]): string | undefined {
  const texts = blocks.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  );
  return texts.length === 0 ? undefined : texts.join('');
}

function errorOf({ status, retryAfter }: JsonMap, { message }: JsonMap): NonNullable<ScriptLine['error']> {
  return {
    status: typeof status === 'number' ? status : 500,
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof retryAfter === 'number' ? { retryAfter: String(retryAfter) } : {}),
  };
}

function callOf(call: unknown, where: string): ScriptedCall {
  const { name, arguments: given, id } = isMap(call) ? call : {};
  const args = typeof given === 'string' ? exactJsonOr(given.trim() || '{}', undefined) : (given ?? {});
  if (typeof name !== 'string' || !isMap(args))
    throw new Problem({
      code: 'config.bad-value',
      where,
      what: `it is ${printValue(call, 80)}`,
      allowed: '{ "name": "…", "arguments": { … } }',
      next: 'correct the file',
    });
  return { name, arguments: args, ...(typeof id === 'string' ? { id } : {}) };
}

function stopOf(word: unknown): StopReason | undefined {
  return typeof word === 'string' && Object.hasOwn(stops, word) ? stops[word] : undefined;
}

const stops: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  end_turn: 'end',
  tool_calls: 'tool-calls',
  tool_use: 'tool-calls',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'filter',
};

function usageOf(usage: unknown): Usage | undefined {
  if (!isMap(usage)) return undefined;
  const number = (...names: readonly string[]): number | undefined =>
    names.map((name) => usage[name]).find((value) => typeof value === 'number');
  const input = number('prompt_tokens', 'input_tokens', 'promptTokenCount');
  const output = number('completion_tokens', 'output_tokens', 'candidatesTokenCount');
  return input === undefined || output === undefined ? undefined : { input, output };
}
