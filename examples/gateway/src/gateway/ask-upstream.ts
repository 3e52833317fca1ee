/** Asks one provider, and returns the kind of its answer: a whole completion, or chunks that are still coming. */
import type { IncomingMessage } from 'node:http';
import type { Chunk } from '../chat/chunk.ts';
import { readCompletion } from '../chat/completion.ts';
import { hasDefect } from '../defects.ts';
import { reasonOf } from '../service/log.ts';
import { isObject, type JsonObject, parseObject, textIn } from '../wire/json.ts';
import { codeOf, post, readAnswer } from '../wire/post.ts';
import type { Target } from './admission.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import { readChunks } from './read-chunks.ts';
import { retryAfterMs } from './retry-after.ts';
import { unpacked } from './unpacked.ts';
import { faultOf, UpstreamFault } from './upstream-fault.ts';

export type Answer =
  | { readonly kind: 'whole'; readonly completion: JsonObject }
  | { readonly kind: 'chunks'; readonly chunks: AsyncGenerator<Chunk> }
  /** Only with the defect `html-passed-through`. */
  | { readonly kind: 'page'; readonly text: string };

export interface Question {
  readonly body: JsonObject;
  readonly requestId: string;
  readonly gone: AbortSignal;
}

export async function askUpstream(
  target: Target,
  question: Question,
  settings: GatewaySettings,
): Promise<Answer> {
  const answer = await send(target, question, settings);
  const { idleMs } = settings.limits;
  const status = answer.statusCode ?? 0;
  if (status >= 400) throw await refusalOf(answer, status, idleMs);
  const type = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  const isStream = type === 'text/event-stream' && !hasDefect('sse-as-json');
  if (isStream) return { kind: 'chunks', chunks: readChunks(answer, idleMs) };
  const text = await readAnswer(await unpacked(answer), { idleMs }).catch((error: unknown) => {
    throw faultOf(error);
  });
  const value = parseObject(text);
  if (!value && hasDefect('html-passed-through') && type === 'text/html') return { kind: 'page', text };
  if (!value)
    throw new UpstreamFault('upstream_invalid', 502, `the provider answered with ${type || 'no type'}`);
  return { kind: 'whole', completion: readWhole(value) };
}

async function send(
  { provider, model }: Target,
  { body, requestId, gone }: Question,
  { providers, limits }: GatewaySettings,
): Promise<IncomingMessage> {
  const { url, key } = providers[provider] ?? { url: '', key: '' };
  const headers = {
    authorization: `Bearer ${key}`,
    accept: body.stream === true ? 'text/event-stream' : 'application/json',
    'accept-encoding': 'gzip, br',
    ...(hasDefect('request-id-lost') ? {} : { 'x-request-id': requestId }),
  };
  try {
    return await post({ url, headers, json: outgoing(body, model), withinMs: limits.headMs, signal: gone });
  } catch (error) {
    if (codeOf(error) === 'ETIMEDOUT') throw faultOf(error);
    throw new UpstreamFault('upstream_unreachable', 502, `${provider} cannot be reached: ${reasonOf(error)}`);
  }
}

/** All fields of the client's request, with the provider's name of the model; usage is always requested, because it is counted. */
function outgoing(body: JsonObject, model: string): JsonObject {
  if (hasDefect('drops-parameters'))
    return { model, messages: body.messages, tools: body.tools, stream: body.stream };
  if (body.stream !== true) return { ...body, model };
  const options = isObject(body.stream_options) ? body.stream_options : {};
  return { ...body, model, stream_options: { ...options, include_usage: true } };
}

function readWhole(value: JsonObject): JsonObject {
  try {
    return readCompletion(value);
  } catch (error) {
    throw faultOf(error);
  }
}

async function refusalOf(answer: IncomingMessage, status: number, idleMs: number): Promise<UpstreamFault> {
  const text = await readAnswer(answer, { idleMs, mostBytes: 64 * 1024 }).catch(() => '');
  const body = parseObject(text);
  const error = isObject(body?.error) ? body.error : {};
  const code = textIn(error.code) || textIn(error.type) || null;
  // The text of an HTML page is of no use in an error message.
  const message =
    textIn(error.message) || textIn(body?.error) || `the provider answered with status ${status}`;
  if (status === 401 || status === 403) return new UpstreamFault('upstream_auth', 502, message, { code });
  if (status === 429) {
    const waitMs = retryAfterMs(answer.headers['retry-after'], Date.now());
    return new UpstreamFault('upstream_rate_limited', 429, message, { code, retryAfterMs: waitMs });
  }
  if (status === 408 || status >= 500) return new UpstreamFault('upstream_error', 502, message, { code });
  return new UpstreamFault('upstream_rejected', status, message, { code });
}
