/** What a real provider of chat completions refuses in a history of messages. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { createFoldNotes, type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { WireFault } from '../turn/turn.ts';

const toolName = /^[a-zA-Z0-9_-]{1,64}$/;
const mostIdChars = 40;

export function chatHistoryFaults(body: JsonMap): readonly WireFault[] {
  const notes = createFoldNotes('chat');
  const { messages, tools, model, max_tokens: most, stream, stream_options, tool_choice } = body;
  if (Array.isArray(messages)) judgeMessages(messages, notes);
  if (Array.isArray(tools)) for (const [at, tool] of tools.entries()) judgeTool(tool, at, notes);
  if (most !== undefined && most !== null && /^(?:o\d|gpt-5(?!.*chat))/.test(String(model)))
    notes.fault(
      'limits.max-tokens',
      `max_tokens is not taken by ${shownValue(model)}, which has max_completion_tokens`,
    );
  if (stream_options != null && stream !== true)
    notes.fault('limits.stream-options', 'stream_options is only allowed when stream is enabled');
  if (tool_choice != null && !Array.isArray(tools))
    notes.fault('limits.tool-choice', 'tool_choice is only allowed when tools are specified');
  return notes.faults;
}

/** Calls of the newest assistant that no tool has answered yet. */
interface OpenCalls {
  at: number;
  readonly ids: Set<string>;
  readonly answered: Set<string>;
}

function judgeMessages(messages: readonly unknown[], notes: FoldNotes): void {
  if (messages.length === 0) notes.fault('history.empty', 'the list of messages is empty');
  const open: OpenCalls = { at: -1, ids: new Set(), answered: new Set() };
  for (const [at, message] of messages.entries()) {
    if (!isMap(message)) continue;
    if (message.role === 'tool') {
      judgeResult(message, at, open, notes);
    } else {
      closeCalls(open, at, notes);
      if (message.role === 'assistant') judgeAssistant(message, at, open, notes);
    }
    judgeContent(message, at, notes);
  }
  closeCalls(open, messages.length, notes);
}

function judgeResult(message: JsonMap, at: number, open: OpenCalls, notes: FoldNotes): void {
  const { tool_call_id: id } = message;
  if (typeof id !== 'string')
    notes.fault('history.no-call-id', `messages[${at}] is of a tool, and has no tool_call_id`);
  else if (open.answered.has(id))
    notes.fault('history.answered-twice', `messages[${at}] answers ${shownValue(id)} a second time`);
  else if (!open.ids.delete(id)) {
    const what = `messages[${at}] answers ${shownValue(id)}, and no preceding message has that call`;
    notes.fault('history.result-without-call', what);
  } else open.answered.add(id);
}

function closeCalls(open: OpenCalls, at: number, notes: FoldNotes): void {
  for (const id of open.ids) {
    const what = `the call ${shownValue(id)} of messages[${open.at}] is not answered before messages[${at}]`;
    notes.fault('history.call-without-result', what);
  }
  open.ids.clear();
  open.answered.clear();
}

function judgeAssistant(message: JsonMap, at: number, open: OpenCalls, notes: FoldNotes): void {
  const { content, tool_calls: calls, function_call: legacy, refusal, audio } = message;
  open.at = at;
  if (Array.isArray(calls)) {
    if (calls.length === 0) notes.fault('history.empty-calls', `messages[${at}].tool_calls is empty`);
    for (const [index, call] of calls.entries())
      judgeCall(call, `messages[${at}].tool_calls[${index}]`, open, notes);
    return;
  }
  const isSilent = content === undefined || content === null;
  if (isSilent && !isMap(legacy) && !isMap(audio) && typeof refusal !== 'string')
    notes.fault('history.silent', `messages[${at}] of the assistant has neither content nor calls`);
}

function judgeCall(call: unknown, where: string, open: OpenCalls, notes: FoldNotes): undefined {
  if (!isMap(call)) return notes.fault('history.call', `${where} is ${shownValue(call)}`);
  const { id } = call;
  if (typeof id !== 'string' || id === '' || id.length > mostIdChars)
    notes.fault('history.call-id', `${where}.id is ${shownValue(id)}: 1 to ${mostIdChars} characters`);
  else if (open.ids.has(id))
    notes.fault('history.same-id', `${where}.id is ${shownValue(id)}, as of another call`);
  else open.ids.add(id);
  if (call.type !== 'function' && call.type !== 'custom')
    notes.fault('history.call-type', `${where}.type is ${shownValue(call.type)}`);
  if (call.type === 'custom') return;
  const made = isMap(call.function) ? call.function : {};
  judgeName(made.name, `${where}.function.name`, notes);
  if (typeof made.arguments !== 'string') {
    const what = `${where}.function.arguments is ${shownValue(made.arguments)}, not a string`;
    notes.fault('history.arguments', what);
  }
}

/** The parts that a role has. Those of the assistant are not checked: servers other than OpenAI's own have more. */
const partsOf = new Map<unknown, readonly string[]>([
  ['user', ['text', 'image_url', 'input_audio', 'file']],
  ['system', ['text']],
  ['developer', ['text']],
  ['tool', ['text']],
]);

/** Servers other than OpenAI's own accept more from a user; these are of other APIs. */
const foreignParts: readonly unknown[] =
  'input_text input_image input_file image document tool_use tool_result'.split(' ');

function judgeContent({ role, content }: JsonMap, at: number, notes: FoldNotes): void {
  const known = partsOf.get(role);
  const where = `messages[${at}].content`;
  if (!Array.isArray(content)) {
    if (known !== undefined && typeof content !== 'string')
      notes.fault('history.no-content', `${where}, of the role ${role}, is ${shownValue(content)}`);
    return;
  }
  if (content.length === 0) notes.fault('history.no-parts', `${where} is an empty list`);
  for (const [index, part] of content.entries()) {
    const type: unknown = isMap(part) ? part.type : undefined;
    const isKnown =
      role === 'user'
        ? typeof type === 'string' && !foreignParts.includes(type)
        : known?.includes(String(type));
    if (known !== undefined && !isKnown)
      notes.fault(
        'history.part',
        `the type of ${where}[${index}] is ${shownValue(type)}; the role ${role} has ${known.join(', ')}`,
      );
  }
}

function judgeTool(tool: unknown, at: number, notes: FoldNotes): void {
  if (!isMap(tool) || tool.type === 'custom') return;
  const name = isMap(tool.function) ? tool.function.name : undefined;
  judgeName(name, `tools[${at}].function.name`, notes);
}

function judgeName(name: unknown, where: string, notes: FoldNotes): void {
  if (typeof name === 'string' && toolName.test(name)) return;
  notes.fault('history.tool-name', `${where} is ${shownValue(name)}: letters, digits, _ and -, 1 to 64`);
}
