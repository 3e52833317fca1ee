/** How an answer gets to the client: chunk by chunk, or as one body; and the error when there is none. */
import type { ServerResponse } from 'node:http';
import type { Chunk } from '../chat/chunk.ts';
import { foldChunks, printChunks } from '../chat/completion.ts';
import { hasDefect } from '../defects.ts';
import { errorEnvelope } from '../service/refusal.ts';
import { sendJson } from '../service/serve.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import type { Target } from './admission.ts';
import type { Answer } from './ask-upstream.ts';
import { openClientStream } from './client-stream.ts';
import type { UpstreamFault } from './upstream-fault.ts';

export interface Relay {
  /** Throws when the answer is unusable. */
  deliver(answer: Answer, target: Target): Promise<void>;
  /** Something of an answer has reached the client. */
  isVisible(): boolean;
  fail(fault: UpstreamFault): void;
}

type Count = (usage: JsonObject | undefined) => void;

/** What has been sent cannot be taken back: from the first chunk on, a failure is reported in the stream. */
export function relayStream(response: ServerResponse, body: JsonObject, count: Count): Relay {
  const options = isObject(body.stream_options) ? body.stream_options : {};
  const stream = openClientStream(response, options.include_usage === true);
  return {
    isVisible: () => stream.isBegun,
    async deliver(answer, target) {
      if (answer.kind === 'page') return sendPage(response, answer.text);
      if (!response.headersSent) response.setHeader('x-served-by', servedBy(target));
      let usage: JsonObject | undefined;
      for await (const chunk of await chunksOf(answer)) {
        usage = chunk.usage ?? usage;
        await stream.send(chunk);
      }
      count(usage);
      stream.end();
    },
    fail(fault) {
      if (hasDefect('error-swallowed')) void stream.send(emptyChunk).then(() => stream.end());
      else if (stream.isBegun) stream.fail(fault);
      else sendFault(response, fault);
    },
  };
}

type Chunks = AsyncIterable<Chunk> | readonly Chunk[];

async function chunksOf(answer: Exclude<Answer, { kind: 'page' }>): Promise<Chunks> {
  if (answer.kind === 'whole') return printChunks(answer.completion);
  if (!hasDefect('stream-aggregated')) return answer.chunks;
  const all: Chunk[] = [];
  for await (const chunk of answer.chunks) all.push(chunk);
  return all;
}

export function relayWhole(response: ServerResponse, count: Count): Relay {
  return {
    isVisible: () => response.headersSent,
    async deliver(answer, target) {
      if (answer.kind === 'page') return sendPage(response, answer.text);
      const completion = answer.kind === 'whole' ? answer.completion : await foldChunks(answer.chunks);
      const { usage, ...rest } = completion;
      count(isObject(usage) ? usage : undefined);
      const shown = hasDefect('usage-lost') ? rest : completion;
      sendJson(response, 200, shown, { 'x-served-by': servedBy(target) });
    },
    fail(fault) {
      if (hasDefect('error-swallowed')) sendJson(response, 200, emptyCompletion);
      else sendFault(response, fault);
    },
  };
}

function servedBy({ provider, model }: Target): string {
  return `${provider}:${model}`;
}

function sendFault(response: ServerResponse, fault: UpstreamFault): void {
  const seconds = Math.ceil((fault.retryAfterMs ?? 1_000) / 1_000);
  const headers = fault.type === 'upstream_rate_limited' ? { 'retry-after': String(seconds) } : {};
  sendJson(response, fault.status, errorEnvelope(fault.type, fault.message, fault.code), headers);
}

function sendPage(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end(text);
}

const nobody = { id: 'none', created: 0, model: 'none' };
const emptyChunk: Chunk = {
  ...nobody,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
};
const emptyCompletion: JsonObject = {
  ...nobody,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
};
