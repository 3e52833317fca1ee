/** Reads what a client sent, up to a limit. */
import type { IncomingMessage } from 'node:http';
import { type JsonObject, parseObject } from '../wire/json.ts';
import { Refusal } from './refusal.ts';

const mostBytes = 4 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new Refusal(413, 'too_large', `the body is larger than ${mostBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const value = parseObject((await readBody(request)).toString('utf8'));
  if (!value) throw new Refusal(400, 'invalid_request_error', 'the body must be a JSON object');
  return value;
}

/** A required text field that must not be empty. */
export function textOf(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value === '') {
    throw new Refusal(400, 'invalid_request_error', `${name} must be a text`);
  }
  return value;
}
