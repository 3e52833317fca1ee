/** The lifecycle of a daemon: listen on 127.0.0.1, answer, and end quickly and cleanly on SIGTERM. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseUnknownDefect } from '../defects.ts';
import { log, reasonOf } from './log.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

interface Daemon {
  readonly name: string;
  readonly port: number;
  /** By path, without the query. */
  readonly routes: Readonly<Record<string, Handler>>;
  stop?(): Promise<void>;
}

/** The time for work in progress to end; what is cut off was in a transaction. */
const stopWithinMs = 120;

export async function serve(daemon: Daemon): Promise<void> {
  const server = createServer((request, response) => void answer(daemon, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(daemon.port, '127.0.0.1', resolve);
  });
  log.info(`${daemon.name} listening on 127.0.0.1:${(server.address() as AddressInfo).port}`);

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info(`${daemon.name} stops on ${signal}`);
    server.close();
    server.closeAllConnections();
    const limit = new Promise((resolve) => setTimeout(resolve, stopWithinMs));
    await Promise.race([
      daemon.stop?.().catch((error: unknown) => log.warn(`${daemon.name} stops badly: ${String(error)}`)),
      limit,
    ]);
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Starts a program; an error at the start is one line and exit code 1. */
export async function start(main: () => Promise<void>): Promise<void> {
  try {
    refuseUnknownDefect();
    await main();
  } catch (error) {
    log.error(`cannot start: ${reasonOf(error)}`);
    process.exit(1);
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function answer(daemon: Daemon, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url?.split('?', 1)[0] ?? '/';
  const route = daemon.routes[path];
  try {
    if (route === undefined) sendJson(response, 404, { error: `${daemon.name} has no ${path}` });
    else await route(request, response);
  } catch (error) {
    log.error(`${daemon.name} could not answer ${request.method} ${path}: ${reasonOf(error)}`);
    if (!response.headersSent) sendJson(response, 500, { error: 'internal error' });
    else response.destroy();
  }
}
