/** The messages of a request to a model, as the model saw them, whatever the dialect. */
import { exactJsonOr } from '../../../kernel/exact-json.ts';
import { isMap } from '../../../kernel/is-map.ts';

export interface Message {
  readonly role: string;
  readonly parts: readonly MessagePart[];
}

export type MessagePart =
  | { readonly kind: 'text' | 'thinking'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly id: string; readonly given: unknown }
  | { readonly kind: 'result'; readonly id: string; readonly value: unknown }
  | { readonly kind: 'other'; readonly value: unknown };

export function messagesOf(request: unknown): readonly Message[] {
  if (!isMap(request)) return [];
  const { system, instructions, systemInstruction, messages, input, contents, prompt } = request;
  const first = system ?? instructions ?? (isMap(systemInstruction) ? systemInstruction.parts : undefined);
  const intro = first === undefined ? [] : [{ role: 'system', parts: partsOf(first) }];
  if (typeof input === 'string') return [...intro, { role: 'user', parts: partsOf(input) }];
  const list = [messages, input, contents].find(Array.isArray) as readonly unknown[] | undefined;
  if (list) return [...intro, ...list.map(messageOf)];
  return prompt === undefined ? intro : [...intro, { role: 'prompt', parts: partsOf(prompt) }];
}

/** The tools that a request offers. */
export function toolsOf(request: unknown): readonly string[] {
  if (!isMap(request) || !Array.isArray(request.tools)) return [];
  return request.tools.flatMap((tool: unknown) => {
    if (!isMap(tool)) return [];
    const declared = Array.isArray(tool.functionDeclarations)
      ? tool.functionDeclarations
      : [tool.function ?? tool];
    return declared.flatMap((one: unknown) => (isMap(one) && typeof one.name === 'string' ? [one.name] : []));
  });
}

function messageOf(message: unknown): Message {
  if (!isMap(message)) return { role: '?', parts: [{ kind: 'other', value: message }] };
  const { role, type, content, parts, tool_calls, tool_call_id } = message;
  if (type === 'function_call') return { role: 'assistant', parts: [callOf(message)] };
  if (type === 'function_call_output')
    return {
      role: 'tool',
      parts: [{ kind: 'result', id: String(message.call_id ?? ''), value: parsed(message.output) }],
    };
  if (type === 'reasoning')
    return { role: 'assistant', parts: [{ kind: 'thinking', text: textIn(message.summary) }] };
  if (tool_call_id !== undefined)
    return { role: 'tool', parts: [{ kind: 'result', id: String(tool_call_id), value: parsed(content) }] };
  const calls = Array.isArray(tool_calls) ? tool_calls.map(callOf) : [];
  return { role: String(role ?? type ?? '?'), parts: [...partsOf(content ?? parts ?? []), ...calls] };
}

function partsOf(content: unknown): readonly MessagePart[] {
  if (content === null) return [];
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  return Array.isArray(content) ? content.map(partOf) : [{ kind: 'other', value: content }];
}

function partOf(part: unknown): MessagePart {
  if (typeof part === 'string') return { kind: 'text', text: part };
  if (!isMap(part)) return { kind: 'other', value: part };
  const { type, text, thinking, functionCall, functionResponse } = part;
  if (type === 'tool_use')
    return { kind: 'call', name: String(part.name), id: String(part.id ?? ''), given: part.input };
  if (type === 'tool_result')
    return { kind: 'result', id: String(part.tool_use_id ?? ''), value: simple(part.content) };
  if (isMap(functionCall))
    return {
      kind: 'call',
      name: String(functionCall.name),
      id: String(functionCall.id ?? ''),
      given: functionCall.args,
    };
  if (isMap(functionResponse))
    return {
      kind: 'result',
      id: String(functionResponse.id ?? functionResponse.name ?? ''),
      value: functionResponse.response,
    };
  if (type === 'thinking' || part.thought === true)
    return { kind: 'thinking', text: String(thinking ?? text ?? '') };
  return typeof text === 'string' ? { kind: 'text', text } : { kind: 'other', value: part };
}

function callOf(call: unknown): MessagePart {
  const outer = isMap(call) ? call : {};
  const inner = isMap(outer.function) ? outer.function : outer;
  return {
    kind: 'call',
    name: String(inner.name),
    id: String(outer.id ?? outer.call_id ?? ''),
    given: parsed(inner.arguments),
  };
}

/** A single text in the place of a list with one text. */
function simple(content: unknown): unknown {
  const [only] = Array.isArray(content) && content.length === 1 ? (content as unknown[]) : [];
  return parsed(isMap(only) && typeof only.text === 'string' ? only.text : content);
}

function parsed(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[[{]/.test(value) ? exactJsonOr(value, value) : value;
}

function textIn(summary: unknown): string {
  const list: readonly unknown[] = Array.isArray(summary) ? summary : [];
  return list.map((one) => (isMap(one) ? String(one.text ?? '') : '')).join('\n');
}
