/** The server side of a keeper socket: answers requests and forwards events. */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import type { JournalEvent } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor, within } from '../../kernel/deadline.ts';
import { isMap } from '../../kernel/is-map.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem, problemsIn, problemToData } from '../../kernel/problem.ts';
import { worldProblem } from '../processes/world-problem.ts';
import { fromFolderOf } from './keeper-socket.ts';
import { onLines } from './line-socket.ts';
import type { ClientMessage, RequestName, Requests } from './messages.ts';
import { type Outbox, openOutbox } from './outbox.ts';
import { requestFault } from './request-shapes.ts';

export type Handlers = {
  readonly [Name in RequestName]: (
    params: Requests[Name]['params'],
    client: Client,
  ) => Answer<Requests[Name]['result']>;
};

/** Where nothing is answered but that it was done, a handler need not give anything. */
type Answer<Result> = keyof Result extends never ? unknown : Promise<Result> | Result;

export interface Client {
  send(event: JournalEvent): void;
  onGone(callback: () => void): void;
}

export interface ServeOptions {
  readonly file: string;
  /** The requests that are accepted here. */
  readonly handlers: Partial<Handlers>;
  /** A client must send it first. Absent: every client that reaches the socket is accepted. */
  readonly token?: string;
  readonly clock: Clock;
}

const shutdownMs = 1_000;

export async function serveKeeper(options: ServeOptions) {
  const clients = new Map<Socket, Outbox>();
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    const outbox = openOutbox(socket, `${options.file}.unheard-${count}`);
    clients.set(socket, outbox);
    socket.on('close', () => clients.delete(socket));
    socket.on('error', () => socket.destroy()); // a vanished client is not an error
    listen(socket, outbox, options);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    fromFolderOf(options.file, (name) => {
      // Private from the start, whatever the umask.
      const umask = process.umask(0o177);
      server.listen(name, resolve);
      process.umask(umask);
    });
  });
  return {
    /** Drains all clients, as long as they keep reading. */
    close: async (): Promise<void> => {
      server.close();
      const unheard = (): number => [...clients.values()].reduce((sum, outbox) => sum + outbox.unheard(), 0);
      for (let before = Infinity; unheard() > 0 && unheard() < before; ) {
        before = unheard();
        await waitFor(options.clock, { withinMs: shutdownMs }, () => (unheard() === 0 ? true : undefined));
      }
      const closing = [...clients.keys()].map(
        (socket) => new Promise<void>((resolve) => void socket.end(resolve)),
      );
      // A stopped client never reads the close.
      await within(options.clock, shutdownMs, Promise.all(closing));
      for (const socket of clients.keys()) socket.destroy();
    },
  };
}

function listen(socket: Socket, outbox: Outbox, { handlers, token }: ServeOptions): void {
  let isKnown = token === undefined;
  const client: Client = {
    send: (event) => outbox.send({ event }),
    onGone: (callback) => void socket.on('close', callback),
  };
  const refuse = (what: string, isOver: boolean): void => {
    outbox.send({ problem: problemToData(notUnderstood(what)) });
    if (isOver) socket.end();
  };
  onLines(socket, {
    mostBytes: limits.requestBytes,
    refuse,
    receive: (message) => {
      if (isKnown) return void answer(message, { outbox, client, handlers });
      if (!isMap(message) || !isSame(message.token, token ?? '')) return refuse('the token is missing', true);
      isKnown = true;
    },
  });
}

function isSame(given: unknown, token: string): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

interface Asker {
  readonly outbox: Outbox;
  readonly client: Client;
  readonly handlers: Partial<Handlers>;
}

async function answer(message: unknown, { outbox, client, handlers }: Asker): Promise<void> {
  const number = isMap(message) && Number.isSafeInteger(message.id) ? { id: message.id } : {};
  try {
    const fault = requestFault(message);
    if (fault !== undefined) throw notUnderstood(fault);
    const { request, params } = message as ClientMessage;
    const handler = handlers[request] as ((params: unknown, client: Client) => unknown) | undefined;
    if (!handler) throw notUnderstood(`${request} cannot be asked here`);
    outbox.send({ ...number, result: (await handler(params, client)) ?? {} });
  } catch (error) {
    const [problem] = problemsIn(worldProblem(error, 'the environment'));
    if (problem) outbox.send({ ...number, problem: problemToData(problem) });
  }
}

function notUnderstood(what: string): Problem {
  return new Problem({
    code: 'usage.bad-request',
    where: 'the keeper’s socket',
    what,
    allowed:
      'the token of the run folder first, then the requests of this version of Shakedown, a JSON object a line',
    next: 'use the `shakedown` command of the version that started the environment',
  });
}
