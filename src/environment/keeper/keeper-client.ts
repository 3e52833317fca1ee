/** The CLI's end of the keeper's socket. */
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import type { JournalEvent } from '../../journal/event.ts';
import { Problem, type ProblemData, problemFromData } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { socketName } from '../run-folder.ts';
import { onLines, sendLine } from './line-socket.ts';
import type { KeeperMessage, RequestName, Requests } from './messages.ts';

export interface KeeperClient {
  ask<Name extends RequestName>(
    request: Name,
    params: Requests[Name]['params'],
  ): Promise<Requests[Name]['result']>;
  onEvent(listener: (event: JournalEvent) => void): void;
  /** Resolves when the keeper has gone, whatever the reason. */
  readonly gone: Promise<void>;
  close(): void;
}

/** Undefined when nobody listens there. */
export async function connectKeeper(runFolder: string): Promise<KeeperClient | undefined> {
  const socket = await open(path.join(runFolder, socketName));
  return socket && talk(socket);
}

/** The longest path that a unix socket may have on every system that we run on. */
const longestPath = 100;

function open(file: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connectShort(file);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error) => {
      const code = errorCode(error);
      if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') resolve(undefined);
      else reject(error);
    });
  });
}

/** A path that is too long is reached from its own folder; the call connects before it returns. */
function connectShort(file: string): Socket {
  const relative = path.relative(process.cwd(), file);
  const shorter = relative.length < file.length ? relative : file;
  if (Buffer.byteLength(shorter) <= longestPath) return connect(shorter);
  const before = process.cwd();
  process.chdir(path.dirname(file));
  try {
    return connect(path.basename(file));
  } finally {
    process.chdir(before);
  }
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

function talk(socket: Socket): KeeperClient {
  const waiting = new Map<number, Waiting>();
  const listeners: Array<(event: JournalEvent) => void> = [];
  let lastId = 0;
  onLines(socket, (line) => {
    const message = line as KeeperMessage;
    if ('event' in message) for (const listener of listeners) listener(message.event);
    else settle(waiting, message);
  });
  const gone = new Promise<void>((resolve) => {
    socket.on('error', () => socket.destroy()); // `close` follows, and tells whoever waits
    socket.on('close', () => {
      for (const { reject } of waiting.values()) reject(keeperGone());
      resolve();
    });
  });
  return {
    gone,
    ask: (request, params) => {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        if (!socket.writable) return reject(keeperGone());
        waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
        sendLine(socket, { id, request, params });
      });
    },
    onEvent: (listener) => void listeners.push(listener),
    close: () => socket.destroySoon(),
  };
}

function settle(
  waiting: Map<number, Waiting>,
  message: { id: number; result?: unknown; problem?: ProblemData },
): void {
  const waiter = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.problem) waiter?.reject(problemFromData(message.problem));
  else waiter?.resolve(message.result);
}

function keeperGone(): Problem {
  return new Problem({
    code: 'shakedown.keeper-died',
    where: 'the keeper of this environment',
    what: 'it ended while it was being asked',
    allowed: 'a keeper that lives as long as its environment',
    next: 'its guard takes everything away; see keeper.log in the run folder, and start again',
  });
}
