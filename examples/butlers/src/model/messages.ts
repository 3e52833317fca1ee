/** The Anthropic Messages API, as far as the butlers use it: one request, one answer, not streamed. */
import { reasonOf } from '../daemon/log.ts';
import type { ModelSettings } from '../daemon/settings.ts';

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly Block[];
}

export type Block = TextBlock | ToolUseBlock | ToolResultBlock;

interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: boolean;
}

export interface ModelRequest {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
}

export interface ModelAnswer {
  readonly content: readonly Block[];
  readonly stop_reason: string;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}

const timeoutMs = 30_000;
const retryAfterMs = 100;

/** Asks the model. A transient failure (overloaded, cut connection) is retried once. */
export async function askModel(
  model: ModelSettings,
  request: ModelRequest,
  traceparent: string,
): Promise<ModelAnswer> {
  const first = await post(model, request, traceparent);
  if (!('mayPass' in first)) return first;
  await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
  const second = await post(model, request, traceparent);
  if ('mayPass' in second) throw new Error(second.mayPass);
  return second;
}

async function post(
  model: ModelSettings,
  request: ModelRequest,
  traceparent: string,
): Promise<ModelAnswer | { readonly mayPass: string }> {
  let status: number;
  let body: string;
  try {
    const response = await fetch(`${model.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': model.apiKey,
        'anthropic-version': '2023-06-01',
        traceparent,
      },
      body: JSON.stringify({ model: model.name, max_tokens: 1024, ...request }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = response.status;
    body = await response.text();
  } catch (error) {
    return { mayPass: `the model cannot be reached: ${reasonOf(error)}` };
  }
  if (status === 200) return readAnswer(body);
  const refusal = `the model answered ${status}: ${body.slice(0, 300)}`;
  if (status === 429 || status >= 500) return { mayPass: refusal };
  throw new Error(refusal);
}

function readAnswer(body: string): ModelAnswer {
  const answer = parseJson(body);
  if (!isAnswer(answer)) throw new Error(`the model's answer is not a message: ${body.slice(0, 300)}`);
  if (answer.stop_reason === 'max_tokens') throw new Error("the model's answer was cut off at max_tokens");
  return answer;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAnswer(value: unknown): value is ModelAnswer {
  return (
    isRecord(value) &&
    typeof value.stop_reason === 'string' &&
    isListOf(value.content, isBlock) &&
    isRecord(value.usage) &&
    [value.usage.input_tokens, value.usage.output_tokens].every((tokens) => typeof tokens === 'number')
  );
}

/** Unknown kinds of blocks are kept: the model must get them back. */
function isBlock(value: unknown): value is Block {
  if (!isRecord(value) || typeof value.type !== 'string') return false;
  if (value.type === 'text') return typeof value.text === 'string';
  if (value.type !== 'tool_use') return true;
  return typeof value.id === 'string' && typeof value.name === 'string' && isRecord(value.input);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(isItem);
}
