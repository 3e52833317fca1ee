/** From one question to its answer: ask the model, run its tool calls, send it the results, until it makes no more calls. */
import type { ToolCall, Turn } from '../chat/assemble-turn.ts';
import { hasDefect } from '../defects.ts';
import { type ToolClient, type ToolResult, ToolServerFailed } from '../mcp/tool-client.ts';
import type { JsonObject } from '../wire/json.ts';
import { askModel, type ModelAccess } from './ask-model.ts';
import { Failure } from './failure.ts';
import { readArguments } from './tool-arguments.ts';

export interface Conversation {
  readonly access: ModelAccess;
  readonly tools: ToolClient;
  readonly model: string;
  readonly before: readonly JsonObject[];
  readonly text: string;
  readonly requestId: string;
  /** How often the model may be asked. */
  readonly mostRounds: number;
  /** Filled step by step, so that a failure can report what was done. */
  readonly steps: Step[];
}

export interface Step {
  readonly tool: string;
  readonly ok: boolean;
}

export interface Said {
  readonly text: string;
  /** Everything from the question on. */
  readonly messages: readonly JsonObject[];
}

const instructions = 'You are an assistant with access to the files of the user. Answer in a few words.';

export async function converse(conversation: Conversation): Promise<Said> {
  const { before, text, mostRounds } = conversation;
  const tools = await offeredTools(conversation.tools);
  const system = { role: 'system', content: instructions };
  const said: JsonObject[] = [{ role: 'user', content: text }];
  const most = hasDefect('rounds-unbounded') ? Number.POSITIVE_INFINITY : mostRounds;
  for (let round = 1; round <= most; round += 1) {
    const turn = await askModel(conversation.access, {
      model: conversation.model,
      requestId: conversation.requestId,
      messages: [system, ...before, ...said],
      tools,
    });
    said.push(assistantMessage(turn));
    if (turn.calls.length === 0) return { text: finalText(turn), messages: said };
    said.push(...(await runCalls(turn, conversation)));
  }
  throw new Failure('agent', 'too_many_rounds', `no answer after ${mostRounds} rounds`);
}

async function offeredTools(client: ToolClient): Promise<readonly JsonObject[]> {
  const offered = await client.list().catch(failed);
  return offered.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
}

function assistantMessage({ text, calls }: Turn): JsonObject {
  if (calls.length === 0) return { role: 'assistant', content: text };
  const toolCalls = calls.map(({ id, name, argumentsText }) => ({
    id,
    type: 'function',
    function: { name, arguments: argumentsText.trim() || '{}' },
  }));
  return { role: 'assistant', content: text || null, tool_calls: toolCalls };
}

function finalText({ text, finish }: Turn): string {
  if (finish === 'tool_calls')
    throw new Failure('provider', 'no_calls', 'the model calls tools and names none');
  if (text === '') throw new Failure('provider', 'no_text', 'the model said nothing');
  return text;
}

/** All arguments are read before the first tool is run: nothing of an incomplete turn is executed. */
async function runCalls({ calls, finish }: Turn, conversation: Conversation): Promise<readonly JsonObject[]> {
  if (finish === 'length')
    throw new Failure('provider', 'too_long', 'the model was stopped within a tool call');
  const ready = calls.map((call) => ({ call, args: readArguments(call.name, call.argumentsText) }));
  const results: JsonObject[] = [];
  for (const { call, args } of ready) {
    const { ok, text } = await runCall(call, args, conversation);
    conversation.steps.push({ tool: call.name, ok });
    results.push({ role: 'tool', tool_call_id: call.id, content: ok ? text : `error: ${text}` });
  }
  return results;
}

async function runCall(call: ToolCall, args: JsonObject, conversation: Conversation): Promise<ToolResult> {
  if (hasDefect('tool-reported-not-made')) return { ok: true, text: 'done' };
  return conversation.tools.call(call.name, args, conversation.requestId).catch(failed);
}

function failed(error: unknown): never {
  if (error instanceof ToolServerFailed) throw new Failure('tool', 'tool_server_failed', error.message);
  throw error;
}
