/** An HTTP server for one test, which records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Address } from '../../src/drivers/driver.ts';

export interface HttpPeer {
  readonly address: Address;
  /** `POST /mcp`, in the order of arrival. */
  readonly heard: string[];
  readonly headers: IncomingMessage['headers'][];
  /** Connections that are open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

export async function openPeer(handle: Handle, listenAt = 0): Promise<HttpPeer> {
  const heard: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(listenAt, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: { scheme: 'http', host: '127.0.0.1', port, url: `http://127.0.0.1:${port}` },
    heard,
    headers,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface Asked {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The message that was posted. */
export async function readAsked(request: IncomingMessage): Promise<Asked> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString('utf8') || '{}') as Asked;
}
