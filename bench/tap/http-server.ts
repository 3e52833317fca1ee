/** The HTTP provider of the bench, a process of its own: small answers, and streams with one write for each event; prints its port. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { systemClock } from '../../src/kernel/clock.ts';
import { lastEvent, printEvent, streamPath, thing, type WantedStream } from './http-wire.ts';

const server = createServer((request, response) => {
  if (request.url === streamPath) void stream(request, response);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(thing);
});
server.keepAliveTimeout = 60_000;
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
  console.log((server.address() as AddressInfo).port),
);

async function stream(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { events, everyMs } = (await json(request)) as WantedStream;
  const text = printEvent(7);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let sent = 0; sent < events; sent += 1) {
    if (everyMs > 0) await systemClock.sleep(everyMs);
    if (!response.write(text)) await once(response, 'drain');
  }
  response.end(lastEvent);
}
