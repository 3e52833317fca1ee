/** A realistic bank: it needs a key and a session, answers in streams, compresses although it is asked not to, and can fail. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

export interface RealBank {
  readonly url: string;
  readonly asked: { readonly what: string; readonly key: string | undefined; readonly text: string }[];
  /** How many streams their readers have left. */
  left: number;
  /** Answers in place of the bank; false where it does not. */
  takes: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export const apiKey = 'live-key-0123456789';
export const accessToken = 'tok-very-secret-4711';

export async function startBank(): Promise<RealBank> {
  const payments = new Map<string, unknown>();
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('');
    const what = `${request.method} ${request.url}`;
    bank.asked.push({ what, key: request.headers['x-api-key'] as string | undefined, text });
    if (bank.takes(request, response)) return;
    const answer = (status: number, value: unknown): void =>
      void response
        .writeHead(status, {
          'content-type': 'application/json',
          'set-cookie': 'session=abc',
          server: 'bank/1',
        })
        .end(JSON.stringify(value));
    if (request.url === '/api/login')
      return void response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify({ access_token: accessToken })));
    if (request.url === '/api/rates') return stream(response, bank);
    if (request.url === '/api/old')
      return void response.writeHead(302, { location: `${bank.url}/new?x=1` }).end();
    if (request.headers.authorization !== `Bearer ${accessToken}`) return answer(401, { error: 'log in' });
    if (request.method === 'POST') {
      const payment = { id: randomUUID(), state: 'done', ...JSON.parse(text) };
      payments.set(payment.id, payment);
      return answer(201, payment);
    }
    const found = payments.get(request.url?.split('/').at(-1) ?? '');
    return found ? answer(200, found) : answer(404, { error: 'no such payment' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const bank: RealBank = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    asked: [],
    left: 0,
    takes: () => false,
  };
  return bank;
}

/** An event at once, and then one for each turn, for as long as the client reads. */
function stream(response: ServerResponse, bank: RealBank): void {
  let count = 0;
  const say = (): void => {
    count += 1;
    response.write(`data: {"rate":${count}}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  say();
  const timer = setInterval(say, 20);
  response.on('close', () => {
    clearInterval(timer);
    bank.left += 1;
  });
}
