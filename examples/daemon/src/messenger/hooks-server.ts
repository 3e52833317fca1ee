/** The second listener: HTTP, where the messenger delivers. `POST /hooks/<gateway>`, and nothing else. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { log, reasonOf } from '../log.ts';
import type { Parts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { signatureHeader } from './signature.ts';
import { takeDelivery } from './take-delivery.ts';

const mostBytes = 65_536;

const statuses: Readonly<Record<string, number>> = {
  'no-such-hook': 404,
  'not-linked': 404,
  'bad-signature': 401,
  'bad-delivery': 400,
  'too-large': 413,
};

export function createHooksServer(parts: Parts): Server {
  return createServer((request, response) => {
    answer(request, parts).then(
      () => send(response, 202, { accepted: true }),
      (error: unknown) => refuse(response, error),
    );
  });
}

async function answer(request: IncomingMessage, parts: Parts): Promise<void> {
  const body = await readBody(request);
  const name = /^\/hooks\/([\w.-]+)$/.exec(request.url ?? '')?.[1];
  if (request.method !== 'POST' || name === undefined)
    throw new Refusal('no-such-hook', `${request.method} ${request.url}`);
  await takeDelivery(name, body, String(request.headers[signatureHeader] ?? ''), parts);
}

/** What is beyond the limit is read and dropped, so that the answer arrives. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes <= mostBytes) pieces.push(piece);
  }
  if (bytes > mostBytes) throw new Refusal('too-large', `more than ${mostBytes} bytes`);
  return Buffer.concat(pieces);
}

function refuse(response: ServerResponse, error: unknown): void {
  const reason = error instanceof Refusal ? error.reason : 'internal';
  if (reason === 'internal') log.error(`a hook could not be answered: ${reasonOf(error)}`);
  else log.warn(`refused a hook: ${reason}: ${reasonOf(error)}`);
  send(response, statuses[reason] ?? 500, { error: reason });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
