/** What an event of a model's stream carries, in any dialect: part of a text or of arguments, or why the turn ended. */
import { defined } from '../../kernel/defined.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { looseJson } from '../../protocols/json-rpc/read-json.ts';

export interface EventContent {
  /** Absent, never empty. */
  readonly text?: string;
  readonly arguments?: string;
  /** It says why the turn ended, or is the end mark. */
  readonly isFinish: boolean;
}

export function eventContent(data: string): EventContent {
  if (data.trim() === '[DONE]') return { isFinish: true };
  const json = looseJson(data);
  if (!isMap(json)) return { isFinish: false };
  const found = [
    ...chatContent(json),
    ...anthropicContent(json),
    ...responsesContent(json),
    ...geminiContent(json),
  ];
  const text = found.find(([kind, value]) => kind === 'text' && value !== '')?.[1];
  const fragment = found.find(([kind, value]) => kind === 'arguments' && value !== '')?.[1];
  return defined({ text, arguments: fragment, isFinish: found.some(([kind]) => kind === 'finish') });
}

type Found = readonly ['text' | 'arguments' | 'finish', string];

function chatContent({ choices }: JsonMap): Found[] {
  return mapsIn(choices).flatMap((choice) => {
    const delta = isMap(choice.delta) ? choice.delta : {};
    const calls = [...mapsIn(delta.tool_calls).map((call) => call.function), delta.function_call];
    return [
      ...found('text', delta.content),
      ...mapsIn(delta.content).flatMap((part) => found('text', part.text)),
      ...calls.flatMap((called) => (isMap(called) ? found('arguments', called.arguments) : [])),
      ...(isWord(choice.finish_reason) ? found('finish', choice.finish_reason) : []),
    ];
  });
}

function anthropicContent({ type, delta }: JsonMap): Found[] {
  if (type === 'message_stop') return [['finish', type]];
  if (!isMap(delta)) return [];
  if (type === 'message_delta') return isWord(delta.stop_reason) ? found('finish', delta.stop_reason) : [];
  if (type !== 'content_block_delta') return [];
  if (delta.type === 'text_delta') return found('text', delta.text);
  return delta.type === 'input_json_delta' ? found('arguments', delta.partial_json) : [];
}

const responsesEnds = ['response.completed', 'response.incomplete', 'response.failed'];

function responsesContent({ type, delta }: JsonMap): Found[] {
  if (type === 'response.output_text.delta') return found('text', delta);
  if (type === 'response.function_call_arguments.delta') return found('arguments', delta);
  return typeof type === 'string' && responsesEnds.includes(type) ? [['finish', type]] : [];
}

function geminiContent({ candidates }: JsonMap): Found[] {
  return mapsIn(candidates).flatMap(({ content, finishReason }) => {
    const parts = isMap(content) ? mapsIn(content.parts) : [];
    return [
      ...parts.flatMap(({ text, thought }) => (thought === true ? [] : found('text', text))),
      ...parts.flatMap(({ functionCall }) =>
        isMap(functionCall) && isMap(functionCall.args)
          ? found('arguments', JSON.stringify(functionCall.args))
          : [],
      ),
      ...(isWord(finishReason) ? found('finish', finishReason) : []),
    ];
  });
}

function found(kind: Found[0], value: unknown): Found[] {
  return typeof value === 'string' ? [[kind, value]] : [];
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function mapsIn(value: unknown): readonly JsonMap[] {
  return Array.isArray(value) ? value.filter(isMap) : [];
}
