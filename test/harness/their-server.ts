/** A server that runs before and after Shakedown, and notes what it was asked: somebody else's. */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TheirServer {
  readonly port: number;
  /** `GET /path localhost:1234`, by its `Host`. */
  readonly asked: readonly string[];
  /** It still answers. */
  isAlive(): boolean;
  close(): Promise<void>;
}

export async function theirServer(
  answer: RequestListener = (request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ url: request.url }));
  },
  {
    host = '127.0.0.1',
    port = 0,
    ...secure
  }: { host?: string; port?: number; key?: Buffer; cert?: Buffer } = {},
): Promise<TheirServer> {
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.host}`);
    answer(request, response);
  };
  const server = secure.key ? createSecureServer(secure, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<unknown>((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { port: (server.address() as AddressInfo).port, asked, isAlive: () => server.listening, close };
}
