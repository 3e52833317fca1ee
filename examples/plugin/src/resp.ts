/** The protocol of Redis, as far as this system needs it: a reader of messages, a printer, and a client. */
import { connect, type Socket } from 'node:net';

export type Reply = string | number | null | readonly Reply[];

/** Calls back with each whole message; a command is a list of texts. */
export function readMessages(socket: Socket, onMessage: (message: Reply) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const read = readOne(rest, 0);
      if (!read) return;
      rest = rest.subarray(read.end);
      onMessage(read.value);
    }
  });
}

function readOne(bytes: Buffer, at: number): { readonly value: Reply; readonly end: number } | undefined {
  const lineEnd = bytes.indexOf('\r\n', at);
  if (lineEnd === -1) return undefined;
  const mark = String.fromCharCode(bytes[at] ?? 0);
  const text = bytes.toString('utf8', at + 1, lineEnd);
  const after = lineEnd + 2;
  if (mark === ':') return { value: Number(text), end: after };
  if (mark !== '$' && mark !== '*') return { value: text, end: after };
  const length = Number(text);
  if (length === -1) return { value: null, end: after };
  if (mark === '$') {
    if (bytes.length < after + length + 2) return undefined;
    return { value: bytes.toString('utf8', after, after + length), end: after + length + 2 };
  }
  const items: Reply[] = [];
  let end = after;
  for (let index = 0; index < length; index += 1) {
    const item = readOne(bytes, end);
    if (!item) return undefined;
    items.push(item.value);
    end = item.end;
  }
  return { value: items, end };
}

export function print(reply: Reply): string {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  return `*${reply.length}\r\n${reply.map(print).join('')}`;
}

export interface Store {
  ask(...words: readonly string[]): Promise<Reply>;
}

/** One connection; replies come in the order of the commands. */
export function openStore(url: string): Store {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const waiting: ((reply: Reply) => void)[] = [];
  readMessages(socket, (reply) => waiting.shift()?.(reply));
  socket.on('error', (error) => {
    console.log(`the store is gone: ${error.message}`);
    process.exit(1);
  });
  return {
    ask: (...words) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        socket.write(print(words));
      }),
  };
}
