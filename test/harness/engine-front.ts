/** The docker engine behind a socket of the test's own, which answers some requests itself: as an engine in trouble does. */
import http from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { makeTemporaryFolder } from './temporary-folder.ts';

const engine = '/var/run/docker.sock';

export interface EngineTrouble {
  /** `POST /containers/create`, without the version. */
  readonly at: RegExp;
  readonly status?: number;
  readonly message?: string;
  /** How often; always when absent. */
  readonly times?: number;
  /** The request is not answered at all; told when it came. */
  readonly hangs?: () => void;
  /** The engine gets it this much later, and does it even if nobody waits for the answer any more. */
  readonly lateMs?: number;
  /** Told when such a request comes, and when the engine has done what it asks for. */
  readonly comes?: () => void;
  readonly done?: () => void;
}

/** The value of `DOCKER_HOST`. Troubles may come and go later; an answer of the engine is passed on when `answered` is over. */
export async function engineInTrouble(
  troubles: readonly EngineTrouble[],
  answered: (asked: string) => Promise<void> = async () => {},
): Promise<string> {
  const folder = makeTemporaryFolder('engine');
  const file = path.join(folder.path, 'engine.sock');
  const left = new Map<EngineTrouble, number>();
  const leftOf = (one: EngineTrouble): number => left.get(one) ?? one.times ?? Number.POSITIVE_INFINITY;
  const server = http.createServer((request, response) => {
    const asked = `${request.method} ${(request.url ?? '').replace(/^\/v[\d.]+/, '')}`;
    const trouble = troubles.find((one) => one.at.test(asked) && leftOf(one) > 0);
    if (trouble) {
      left.set(trouble, leftOf(trouble) - 1);
      trouble.comes?.();
      if (trouble.hangs) return trouble.hangs();
      if (trouble.lateMs !== undefined) return passOnLate(request, response, trouble.lateMs, trouble.done);
      response.writeHead(trouble.status ?? 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message: trouble.message }));
      return;
    }
    const { method, url, headers } = request;
    const behind = http.request({ socketPath: engine, method, path: url, headers }, async (answer) => {
      await answered(asked);
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    behind.on('error', () => response.destroy());
    response.on('close', () => behind.destroy());
    request.pipe(behind);
  });
  server.on('upgrade', (request, socket, head) => {
    const behind = connect(engine, () => {
      const lines = request.rawHeaders.flatMap((name, at, all) =>
        at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : [],
      );
      behind.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      behind.write(head);
      socket.pipe(behind).pipe(socket);
    });
    for (const side of [socket, behind]) side.on('error', () => behind.destroy());
  });
  await new Promise<void>((resolve) => server.listen(file, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    folder.remove();
  });
  return `unix://${file}`;
}

async function passOnLate(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  lateMs: number,
  done = (): void => {},
): Promise<void> {
  const { method, url, headers } = request;
  const body = await buffer(request);
  await pause(lateMs);
  const behind = http.request({ socketPath: engine, method, path: url, headers }, (answer) => {
    done();
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  behind.on('error', () => response.destroy());
  behind.end(body);
}

/** A socket on which something else answers; `undefined`: nothing, ever. */
export async function noEngineAtAll(answer: string | undefined): Promise<string> {
  const folder = makeTemporaryFolder('engine');
  const file = path.join(folder.path, 'engine.sock');
  const { createServer } = await import('node:net');
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (answer !== undefined) socket.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(file, resolve));
  onTestFinished(() => {
    server.close();
    folder.remove();
  });
  return `unix://${file}`;
}
