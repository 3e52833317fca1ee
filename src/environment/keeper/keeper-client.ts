/** The client side of the keeper's socket. */
import { connect, type Socket } from 'node:net';
import type { JournalEvent } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem, type ProblemData, problemFromData, problemsIn } from '../../kernel/problem.ts';
import { absentOn } from '../../kernel/system-error.ts';
import { fromFolderOf, ownerSocket, readToken, tapSocket } from './keeper-socket.ts';
import { onLines, sendLine } from './line-socket.ts';
import type { Greeting, KeeperMessage, RequestName, Requests } from './messages.ts';

export interface KeeperClient {
  ask<Name extends RequestName>(
    request: Name,
    params: Requests[Name]['params'],
  ): Promise<Requests[Name]['result']>;
  onEvent(listener: (event: JournalEvent) => void): void;
  /** Resolves when the keeper is gone, for any reason. */
  readonly gone: Promise<void>;
  close(): void;
}

/** Undefined when no keeper listens there. */
export async function connectKeeper(runFolder: string, clock: Clock): Promise<KeeperClient | undefined> {
  const socket = await open(ownerSocket(runFolder));
  // Only then: where the socket is, the token is written to its end.
  const token = socket && readToken(runFolder);
  if (token === undefined || !socket) {
    socket?.destroy();
    return undefined;
  }
  const client = talk(socket, clock);
  sendLine(socket, { token } satisfies Greeting);
  return client;
}

/** `gone` when the keeper ended before it answered, because another process took it down. */
export function unlessGone<T>(answer: Promise<T>): Promise<T | 'gone'> {
  return answer.catch((error: unknown) => {
    if (problemsIn(error)[0]?.code === 'shakedown.keeper-died') return 'gone';
    throw error;
  });
}

/** Connects to the socket that accepts only calls over stdio. */
export async function connectTapSocket(workspace: string, clock: Clock): Promise<KeeperClient | undefined> {
  const socket = await open(tapSocket(workspace));
  return socket && talk(socket, clock);
}

function open(file: string): Promise<Socket | undefined> {
  return new Promise<Socket>((resolve, reject) => {
    // The call connects before it returns.
    const socket = fromFolderOf(file, (name) => connect(name));
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  }).catch(absentOn('ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'ENOTDIR', 'ELOOP')); // reset: it ended while we connected
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

function talk(socket: Socket, clock: Clock): KeeperClient {
  const waiting = new Map<number, Waiting>();
  const listeners: Array<(event: JournalEvent) => void> = [];
  let lastId = 0;
  const rejectAll = (problem: Problem): void => {
    for (const { reject } of waiting.values()) reject(problem);
    waiting.clear();
  };
  onLines(socket, {
    mostBytes: limits.keeperMessageBytes,
    receive: (line) => {
      const message = line as KeeperMessage;
      if ('event' in message) for (const listener of listeners) listener(message.event);
      else if (message.id !== undefined) settle(waiting, message.id, message);
      else if ('problem' in message) rejectAll(problemFromData(message.problem));
    },
    refuse: (what) => socket.destroy(new Error(what)),
  });
  const silence = watchSilence(socket, clock, waiting, () => rejectAll(keeperSilent()));
  const gone = new Promise<void>((resolve) => {
    socket.on('error', () => socket.destroy()); // `close` follows, and rejects pending requests
    socket.on('close', () => {
      rejectAll(keeperGone());
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
        silence.begin();
      });
    },
    onEvent: (listener) => void listeners.push(listener),
    close: () => socket.destroySoon(),
  };
}

/**
 * While an answer is pending, the keeper is pinged. Checks are counted instead of time: a machine that slept, or is
 * overloaded, slows down the keeper as well.
 */
function watchSilence(
  socket: Socket,
  clock: Clock,
  waiting: ReadonlyMap<number, Waiting>,
  onSilence: () => void,
): { begin(): void } {
  let looks = 0;
  let isLooking = false;
  socket.on('data', () => {
    looks = 0;
  });
  const look = (): void => {
    isLooking = waiting.size > 0 && socket.writable;
    if (!isLooking) return;
    looks += 1;
    if (looks > limits.silentLooks) {
      onSilence();
      looks = 0;
    }
    if (looks % 5 === 0) sendLine(socket, { id: 0, request: 'ping', params: {} });
    clock.after(1_000, look);
  };
  return {
    begin: () => {
      if (isLooking) return;
      looks = 0;
      isLooking = true;
      clock.after(1_000, look);
    },
  };
}

function settle(
  waiting: Map<number, Waiting>,
  id: number,
  message: { readonly result?: unknown; readonly problem?: ProblemData },
): void {
  const waiter = waiting.get(id);
  waiting.delete(id);
  if (message.problem) waiter?.reject(problemFromData(message.problem));
  else waiter?.resolve(message.result);
}

function keeperGone(): Problem {
  return new Problem({
    code: 'shakedown.keeper-died',
    where: 'the keeper of this environment',
    what: 'it ended during a request',
    allowed: 'a keeper that lives as long as its environment',
    next: 'its guard removes everything; see keeper.log in the run folder, and start again',
  });
}

function keeperSilent(): Problem {
  return new Problem({
    code: 'world.unreachable',
    where: 'the keeper of this environment',
    what: `it does not answer: no sign of life in ${limits.silentLooks} s`,
    allowed: 'a keeper that runs; one that was stopped (SIGSTOP) or hangs cannot answer',
    next: 'shakedown down ends it and removes everything',
  });
}
