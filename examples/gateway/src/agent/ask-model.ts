/** Asks the model through the gateway, streamed, and returns a complete turn, or fails. */
import type { IncomingMessage } from 'node:http';
import { assembleTurn, type Turn } from '../chat/assemble-turn.ts';
import { ChunkError, createChunkReader } from '../chat/chunk.ts';
import { hasDefect } from '../defects.ts';
import { reasonOf } from '../service/log.ts';
import { isObject, type JsonObject, parseObject, textIn } from '../wire/json.ts';
import { post, readAnswer, timedOut } from '../wire/post.ts';
import { readEvents } from '../wire/sse-reader.ts';
import { Failure, failureOfGateway } from './failure.ts';

export interface ModelAccess {
  readonly url: string;
  readonly key: string;
  readonly withinMs: number;
}

export interface ModelQuestion {
  readonly model: string;
  readonly messages: readonly JsonObject[];
  readonly tools: readonly JsonObject[];
  readonly requestId: string;
}

export async function askModel(access: ModelAccess, question: ModelQuestion): Promise<Turn> {
  const { model, messages, tools, requestId } = question;
  const json = {
    model,
    messages,
    ...(tools.length > 0 ? { tools, tool_choice: 'auto' } : {}),
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0.2,
    max_tokens: 1_024,
  };
  const headers = { authorization: `Bearer ${access.key}`, 'x-request-id': requestId };
  const url = `${access.url}/v1/chat/completions`;
  const answer = await post({ url, headers, json, withinMs: access.withinMs }).catch((error: unknown) => {
    throw new Failure('gateway', 'gateway_unreachable', reasonOf(error));
  });
  const isStream = (answer.headers['content-type'] ?? '').startsWith('text/event-stream');
  if (answer.statusCode !== 200 || !isStream) throw await refusalOf(answer, access.withinMs);
  return readTurn(answer, access.withinMs);
}

async function refusalOf(answer: IncomingMessage, idleMs: number): Promise<Failure> {
  const body = parseObject(await readAnswer(answer, { idleMs }).catch(() => ''));
  const error = isObject(body?.error) ? body.error : {};
  const type = textIn(error.type) || 'gateway_invalid';
  return failureOfGateway(
    type,
    textIn(error.message) || `the gateway answered with status ${answer.statusCode}`,
  );
}

/** The gateway ends a complete turn with an end mark. Without it, nothing of the turn may be acted on. */
async function readTurn(answer: IncomingMessage, idleMs: number): Promise<Turn> {
  const assembly = assembleTurn();
  const readChunk = createChunkReader();
  const timer = setTimeout(() => answer.destroy(timedOut(idleMs)), idleMs);
  let isWhole = false;
  try {
    for await (const { data } of readEvents(answer)) {
      timer.refresh();
      isWhole = data.trim() === '[DONE]';
      if (isWhole) break;
      assembly.push(readChunk(data));
    }
  } catch (error) {
    isWhole = hasDefect('runs-truncated-call') && assembly.turn().calls.length > 0;
    if (!isWhole) throw failureOf(error);
  } finally {
    clearTimeout(timer);
    answer.destroy();
  }
  if (isWhole) return assembly.turn();
  throw new Failure('gateway', 'gateway_truncated', 'the stream of the gateway ended before its end');
}

function failureOf(error: unknown): Failure {
  if (error instanceof ChunkError) return failureOfGateway(error.type, error.message);
  return new Failure('gateway', 'gateway_invalid', reasonOf(error));
}
