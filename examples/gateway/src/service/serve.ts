/** The lifecycle of a service: it listens on 127.0.0.1, answers by routes, and ends at once on SIGTERM. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseUnknownDefect } from '../defects.ts';
import { createLog, type Log, reasonOf } from './log.ts';
import { errorEnvelope, Refusal } from './refusal.ts';
import { type Environment, wholeNumber } from './settings.ts';

export type Handler = (visit: Visit) => Promise<void> | void;

export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The part of the path that matches the `*` of its route. */
  readonly rest: string;
  /** Aborted when the client went away before it had its answer. */
  readonly gone: AbortSignal;
}

/** `POST /ask`; `POST /callbacks/*` with one free part at its end. */
export type Routes = Readonly<Record<string, Handler>>;

/** Starts a service; an error at the start is one line and exit code 1. */
export async function serve(
  name: string,
  build: (env: Environment, log: Log) => Routes,
  env: Environment = process.env,
): Promise<void> {
  const log = createLog(name);
  try {
    refuseUnknownDefect(env.DEFECT ?? '');
    const routes = { 'GET /health': health, ...build(env, log) };
    await listen(name, wholeNumber(env, 'PORT', 0, 65_535), routes, log);
  } catch (error) {
    log.error('cannot start', { reason: reasonOf(error) });
    process.exit(1);
  }
}

async function listen(name: string, port: number, routes: Routes, log: Log): Promise<void> {
  const server = createServer((request, response) => void answer(routes, request, response, log));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  log.info('listening', { port: (server.address() as AddressInfo).port });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info('stops', { signal });
      process.exit(0);
    });
  }
  server.on('clientError', (error, socket) => {
    log.warn('no HTTP', { reason: reasonOf(error), name });
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
  });
}

async function answer(
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
  log: Log,
): Promise<void> {
  const controller = new AbortController();
  response.on('close', () => response.writableEnded || controller.abort());
  const path = request.url?.split('?', 1)[0] ?? '/';
  try {
    const { handler, rest } = findRoute(routes, request.method ?? 'GET', path);
    await handler({ request, response, rest, gone: controller.signal });
  } catch (error) {
    if (controller.signal.aborted) return log.info('client went away', { path });
    if (!(error instanceof Refusal)) log.error('internal error', { path, reason: reasonOf(error) });
    if (response.headersSent) return void response.destroy();
    refuse(request, response, error);
  }
}

function findRoute(routes: Routes, method: string, path: string): { handler: Handler; rest: string } {
  const at = path.lastIndexOf('/') + 1;
  const rest = path.slice(at);
  const spellings = rest === '' ? [path] : [path, `${path.slice(0, at)}*`];
  for (const spelling of spellings) {
    const handler = routes[`${method} ${spelling}`];
    if (handler) return { handler, rest };
  }
  const isKnown = Object.keys(routes).some((route) => spellings.includes(route.slice(route.indexOf('/'))));
  if (isKnown) throw new Refusal(405, 'method_not_allowed', `${path} does not take ${method}`);
  throw new Refusal(404, 'not_found', `there is no ${path}`);
}

/** The rest of an unread body would be parsed as the next request: the connection is closed. */
function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const known = error instanceof Refusal ? error : new Refusal(500, 'internal_error', 'something went wrong');
  const headers = request.complete ? known.headers : { ...known.headers, connection: 'close' };
  sendJson(response, known.status, errorEnvelope(known.type, known.message), headers);
}

function health({ response }: Visit): void {
  sendJson(response, 200, { status: 'ok' });
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
