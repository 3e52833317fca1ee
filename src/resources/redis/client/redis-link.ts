/** A connection of ours to a server that speaks RESP: commands in a row, an answer for each, within time and memory. */
import { connect, type Socket } from 'node:net';
import type { Clock } from '../../../kernel/clock.ts';
import { RespReader, type RespValue } from '../../../protocols/resp/resp-reader.ts';
import type { RedisTarget } from '../redis-target.ts';
import { LinkError } from './link-error.ts';
import { type Command, printCommands } from './print-commands.ts';
import { isRefusal, Refused, type Reply } from './reply.ts';

export interface RedisLink {
  /** Sends all at once. A refusal is an answer; rejects with a `LinkError` when there will be no answer. */
  ask(commands: readonly Command[]): Promise<readonly Reply[]>;
  /** One command; rejects with `Refused` when the server refuses it. */
  do(...command: Command): Promise<Reply>;
  close(): void;
}

export interface LinkLimits {
  /** For all answers to what was sent at once, and for the connection. */
  readonly answerMs: number;
  readonly answerBytes: number;
}

interface Asked {
  readonly replies: Reply[];
  readonly wanted: number;
  readonly done: (replies: readonly Reply[]) => void;
  readonly failed: (error: LinkError) => void;
}

/** Rejects with `Refused` where the user, the password or the database is not accepted. */
export async function openRedisLink(
  target: RedisTarget,
  clock: Clock,
  limits: LinkLimits,
): Promise<RedisLink> {
  const link = overSocket(connect({ ...target.address, noDelay: true }), clock, limits);
  const { user, password, database } = target;
  try {
    if (password !== '') await link.do('AUTH', ...(user === '' ? [] : [user]), password);
    if (database !== 0) await link.do('SELECT', database);
    return link;
  } catch (error) {
    link.close();
    throw error;
  }
}

function overSocket(socket: Socket, clock: Clock, { answerMs, answerBytes }: LinkLimits): RedisLink {
  let asked: Asked | undefined;
  let lost: LinkError | undefined;
  let bytes = 0;
  const lose = (error: LinkError): void => {
    lost ??= error;
    socket.destroy();
    asked?.failed(lost);
    asked = undefined;
  };
  const reader = new RespReader((value) => answered(value), false, whole);
  const answered = ({ value, isError }: RespValue): void => {
    bytes = 0;
    if (!asked) {
      lose(new LinkError('not-redis', 'it sends what nobody asked for'));
      return;
    }
    asked.replies.push((isError ? { error: value } : value) as Reply);
    if (asked.replies.length < asked.wanted) return;
    const { done, replies } = asked;
    asked = undefined;
    done(replies);
  };
  socket.on('data', (piece) => {
    bytes += piece.length;
    if (bytes > answerBytes) lose(new LinkError('too-large', `more than ${answerBytes} bytes`));
    else if (!reader.push(piece)) lose(new LinkError('not-redis', 'what it sends is not RESP'));
  });
  socket.on('error', (error) => lose(new LinkError('unreachable', error.message || String(error))));
  socket.on('close', () => lose(new LinkError('unreachable', 'it closes the connection')));
  const send = async (commands: readonly Command[]): Promise<readonly Reply[]> => {
    if (lost) throw lost;
    const late = new LinkError('silent', `no answer within ${answerMs / 1_000} s`);
    const cancel = clock.after(answerMs, () => lose(late));
    const answer = new Promise<readonly Reply[]>((done, failed) => {
      asked = { replies: [], wanted: commands.length, done, failed };
    });
    socket.write(printCommands(commands));
    return answer.finally(cancel);
  };
  let last: Promise<unknown> = Promise.resolve();
  const ask: RedisLink['ask'] = (commands) => {
    const answer = last.then(() => (commands.length === 0 ? [] : send(commands)));
    last = answer.catch(() => undefined); // whoever asked has heard it
    return answer;
  };
  return {
    ask,
    do: async (...command) => {
      const [reply = null] = await ask([command]);
      if (isRefusal(reply)) throw new Refused(reply);
      return reply;
    },
    close: () => lose(new LinkError('unreachable', 'it was closed')),
  };
}

/** The bytes as they are: a key need not be a text. How many there are is counted where they arrive. */
const whole = {
  valueBytes: Number.POSITIVE_INFINITY,
  listBytes: Number.POSITIVE_INFINITY,
  listItems: Number.POSITIVE_INFINITY,
  made: (piece: Buffer): Buffer => Buffer.from(piece),
};
