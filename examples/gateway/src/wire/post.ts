/** Sends one request and returns the answer as soon as its head arrives. A connection is used once. */
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import type { Readable } from 'node:stream';

export interface Post {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json: unknown;
  /** How long the head of the answer may take. */
  readonly withinMs: number;
  /** Aborted: the request is broken off, and its answer, too. */
  readonly signal?: AbortSignal;
}

export async function post({ url, headers = {}, json, withinMs, signal }: Post): Promise<IncomingMessage> {
  const body = Buffer.from(JSON.stringify(json));
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      connection: 'close',
      ...headers,
    },
    ...(signal ? { signal } : {}),
  };
  const request = await senderFor(url);
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    const timer = setTimeout(() => sent.destroy(timedOut(withinMs)), withinMs);
    sent.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sent.end(body);
  });
}

/** TLS is loaded where it is needed: it is most of what a service here would load. */
async function senderFor(url: string): Promise<typeof requestHttp> {
  return url.startsWith('https:') ? (await import('node:https')).request : requestHttp;
}

export function timedOut(withinMs: number): Error {
  return Object.assign(new Error(`no answer within ${withinMs} ms`), { code: 'ETIMEDOUT' });
}

/** The whole body as text. Rejects when it is cut off, silent for too long, or too large. */
export async function readAnswer(
  answer: Readable,
  limits: { readonly idleMs: number; readonly mostBytes?: number },
): Promise<string> {
  const { idleMs, mostBytes = 8 * 1024 * 1024 } = limits;
  const pieces: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => answer.destroy(timedOut(idleMs)), idleMs);
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      timer.refresh();
      bytes += piece.length;
      if (bytes > mostBytes) throw Object.assign(new Error('the answer is too large'), { code: 'EMSGSIZE' });
      pieces.push(piece);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(pieces).toString('utf8');
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
