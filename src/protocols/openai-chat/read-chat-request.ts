/** Reads a request for a chat completion. */
import { exactJsonOr } from '../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { ModelRequest, ModelRoute, OfferedTool, RequestMessage } from '../turn/dialect.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { createFoldNotes, type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import { chatHistoryFaults } from './chat-history.ts';

/** More than a provider takes; what is behind is not read. */
const mostMessages = 10_000;

export function readChatRequest(body: unknown, route: ModelRoute = {}): ModelRequest {
  const notes = createFoldNotes('chat.request');
  if (!isMap(body)) notes.fault('body', `the body is ${shownValue(body)}, not an object`);
  const request = isMap(body) ? body : {};
  const messages = isMap(body) ? readMessages(request.messages, notes) : [];
  if (isMap(body)) judgeFields({ model: route.model, ...body }, notes);
  const stream = request.stream === true;
  const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  return {
    model: typeof request.model === 'string' ? request.model : (route.model ?? null),
    stream,
    wantsUsage: !stream || (isMap(request.stream_options) && request.stream_options.include_usage === true),
    ...readChoices(request.n, notes),
    system: system.join('\n'),
    messages,
    ...readTools(request),
    maxTokens: readMaxTokens(request),
    faults: notes.faults,
    historyFaults: isMap(body) ? chatHistoryFaults(body) : [],
  };
}

function judgeFields(request: JsonMap, notes: FoldNotes): void {
  const { model, stream, tools } = request;
  if (typeof model !== 'string' || model === '') notes.fault('model', `the model is ${shownValue(model)}`);
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
    notes.fault('stream', `stream is ${shownValue(stream)}, neither true nor false`);
  if (tools !== undefined && tools !== null && !Array.isArray(tools))
    notes.fault('tools', `the tools are ${shownValue(tools)}, not a list`);
  for (const name of ['max_tokens', 'max_completion_tokens']) {
    const most = request[name];
    if (most === undefined || most === null || (Number.isInteger(most) && (most as number) > 0)) continue;
    notes.fault('max-tokens', `${name} is ${shownValue(most)}, not a positive whole number`);
  }
}

function readChoices(n: unknown, notes: FoldNotes): { choices?: number } {
  if (n === undefined || n === null) return {};
  if (Number.isInteger(n) && (n as number) >= 1 && (n as number) <= foldLimits.choices)
    return { choices: n as number };
  notes.fault('n', `n is ${shownValue(n)}, not a whole number from 1 to ${foldLimits.choices}`);
  return {};
}

function readMaxTokens(request: JsonMap): number | null {
  const most = request.max_completion_tokens ?? request.max_tokens;
  return typeof most === 'number' ? most : null;
}

function readTools({ tools, functions }: JsonMap): Pick<ModelRequest, 'tools' | 'mayOfferMore'> {
  const modern = (Array.isArray(tools) ? tools : []).map((tool: unknown) => {
    const { function: called, custom } = isMap(tool) ? tool : {};
    return isMap(custom) && !isMap(called) ? { ...readTool(custom), isCustom: true } : readTool(called);
  });
  const all = [...modern, ...(Array.isArray(functions) ? functions : []).map(readTool)];
  const named = all.filter(({ name }) => name !== '');
  return { tools: named, ...(named.length < all.length ? { mayOfferMore: true } : {}) };
}

function readTool(tool: unknown): OfferedTool {
  const { name, parameters } = isMap(tool) ? tool : {};
  return { name: typeof name === 'string' ? name : '', schema: parameters ?? null };
}

const roles: Readonly<Record<string, RequestMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
};

function readMessages(messages: unknown, notes: FoldNotes): readonly RequestMessage[] {
  if (!Array.isArray(messages)) {
    notes.fault('messages', `the messages are ${shownValue(messages)}, not a list`);
    return [];
  }
  if (messages.length > mostMessages) notes.fault('messages', `there are more than ${mostMessages} messages`);
  return messages.slice(0, mostMessages).flatMap((message, at) => readMessage(message, at, notes));
}

function readMessage(message: unknown, at: number, notes: FoldNotes): RequestMessage[] {
  const role = isMap(message) && typeof message.role === 'string' ? message.role : undefined;
  const known = role !== undefined && Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (!isMap(message) || known === undefined) {
    const what = isMap(message) ? `the role of messages[${at}] is ${shownValue(message.role)}` : undefined;
    notes.fault('message', what ?? `messages[${at}] is ${shownValue(message)}, not an object`);
    return [];
  }
  const text = readContent(message, at, notes);
  const id = message.tool_call_id ?? message.name;
  const results = known === 'tool' ? [{ id: typeof id === 'string' ? id : '', text }] : [];
  return [{ role: known, text, calls: readCalls(message), results }];
}

function readContent({ content, refusal }: JsonMap, at: number, notes: FoldNotes): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(partText).join('');
  if (content !== undefined && content !== null)
    notes.fault('content', `the content of messages[${at}] is ${shownValue(content)}`);
  return typeof refusal === 'string' ? refusal : '';
}

function partText(part: unknown): string {
  if (!isMap(part)) return '';
  const text = part.text ?? part.refusal;
  return typeof text === 'string' ? text : '';
}

function readCalls({ tool_calls: calls, function_call: legacy }: JsonMap): RequestMessage['calls'] {
  const made = Array.isArray(calls) ? calls : isMap(legacy) ? [{ function: legacy }] : [];
  return made.filter(isMap).map((call) => {
    const inner = isMap(call.function) ? call.function : isMap(call.custom) ? call.custom : {};
    return {
      id: typeof call.id === 'string' ? call.id : '',
      name: typeof inner.name === 'string' ? inner.name : '',
      arguments: readArgumentsText(inner.arguments ?? inner.input),
    };
  });
}

/** Unchanged where it is not JSON: what a consumer sends back is evidence. */
function readArgumentsText(text: unknown): unknown {
  return typeof text === 'string' ? exactJsonOr(text, text) : (text ?? null);
}
