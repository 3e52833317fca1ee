/** The input of a request, item by item, as the messages of a conversation. */
import { exactJsonOr } from '../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { RequestMessage } from '../turn/dialect.ts';
import { ownTool } from './own-items.ts';

/** Items of one request that are looked at. */
export const mostInputItems = 10_000;

type Call = RequestMessage['calls'][number];

/** Consecutive text and calls of the assistant are one message, as they were one turn. */
export function readInput(input: unknown): readonly RequestMessage[] {
  if (typeof input === 'string') return [message('user', input)];
  if (!Array.isArray(input)) return [];
  const messages: RequestMessage[] = [];
  for (const item of input.slice(0, mostInputItems)) {
    const next = isMap(item) ? readItem(item) : undefined;
    const last = messages.at(-1);
    if (next?.role === 'assistant' && last?.role === 'assistant') {
      messages[messages.length - 1] = {
        ...last,
        text: last.text + next.text,
        calls: [...last.calls, ...next.calls],
      };
    } else if (next !== undefined) messages.push(next);
  }
  return messages;
}

function readItem(item: JsonMap): RequestMessage | undefined {
  const { type, call_id: callId, name, namespace } = item;
  if (type === 'function_call' || type === 'custom_tool_call') {
    const call = {
      id: String(callId ?? ''),
      name: nameIn(namespace, String(name ?? '')),
      arguments: readArguments(item),
    };
    return message('assistant', '', [call]);
  }
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    const text = contentText(item.output);
    return { role: 'tool', text, calls: [], results: [{ id: String(callId ?? ''), text }] };
  }
  const own = ownTool(type);
  if (own !== undefined) {
    const id = String(callId ?? item.id ?? '');
    if (!own.isOutput)
      return message('assistant', '', [
        { id, name: own.name, arguments: item.action ?? item.actions ?? item.operation },
      ]);
    const text = contentText(item.output);
    return { role: 'tool', text, calls: [], results: [{ id, text }] };
  }
  if (type !== undefined && type !== 'message') return undefined;
  const role = item.role === 'developer' ? 'system' : item.role;
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return undefined;
  return message(role, contentText(item.content));
}

/** The name of a tool as scripts have it: that of its namespace is before it. */
export function nameIn(namespace: unknown, name: string): string {
  return typeof namespace === 'string' && namespace !== '' ? `${namespace}.${name}` : name;
}

function message(role: RequestMessage['role'], text: string, calls: readonly Call[] = []): RequestMessage {
  return { role, text, calls, results: [] };
}

/** The object, or the text where it is not one. */
function readArguments({ arguments: text, input }: JsonMap): unknown {
  // What a script expects is compared with what was sent.
  return typeof text === 'string' ? exactJsonOr(text, text) : (text ?? input ?? '');
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => {
      if (!isMap(part)) return '';
      const text = part.text ?? part.refusal ?? part.stdout;
      return typeof text === 'string' ? text : '';
    })
    .join('');
}
