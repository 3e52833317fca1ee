/** The keeper's end of the socket: answers requests and passes on events. */
import { createServer, type Socket } from 'node:net';
import type { JournalEvent } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { problemsIn, problemToData } from '../../kernel/problem.ts';
import { onLines, sendLine } from './line-socket.ts';
import type { ClientMessage, RequestName, Requests } from './messages.ts';

export type Handlers = {
  readonly [Name in RequestName]: (
    params: Requests[Name]['params'],
    client: Client,
  ) => Promise<Requests[Name]['result']> | Requests[Name]['result'];
};

export interface Client {
  send(event: JournalEvent): void;
  onGone(callback: () => void): void;
}

const goodbyeMs = 1_000;

export interface KeeperServer {
  /** Waits until everybody has heard the last word. */
  close(): Promise<void>;
}

export async function serveKeeper(
  socketPath: string,
  handlers: Handlers,
  clock: Clock,
): Promise<KeeperServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy()); // a client that vanished is no matter of ours
    const client: Client = {
      send: (event) => sendLine(socket, { event }),
      onGone: (callback) => void socket.on('close', callback),
    };
    onLines(socket, (message) => void answer(socket, client, handlers, message as ClientMessage));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: socketPath, readableAll: false, writableAll: false }, resolve);
  });
  return {
    close: async () => {
      const goodbyes = [...sockets].map((socket) => new Promise<void>((resolve) => void socket.end(resolve)));
      server.close();
      // A client that is stopped never hears a goodbye.
      await within(clock, goodbyeMs, Promise.all(goodbyes));
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function answer(
  socket: Socket,
  client: Client,
  handlers: Handlers,
  message: ClientMessage,
): Promise<void> {
  try {
    const handler = handlers[message.request] as (params: unknown, client: Client) => unknown;
    if (!handler) throw new Error(`the keeper knows no request ${JSON.stringify(message.request)}`);
    sendLine(socket, { id: message.id, result: await handler(message.params, client) });
  } catch (error) {
    const [problem] = problemsIn(error);
    if (problem) sendLine(socket, { id: message.id, problem: problemToData(problem) });
  }
}
