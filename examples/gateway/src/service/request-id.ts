/** The id by which one request can be followed through all services: the client's, or a new one. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export function requestIdOf(request: IncomingMessage): string {
  const told = request.headers['x-request-id'];
  return typeof told === 'string' && /^[\w.:-]{1,128}$/.test(told) ? told : randomUUID();
}
