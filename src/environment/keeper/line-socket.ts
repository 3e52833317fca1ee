/** A socket on which each line is one JSON message, with a limit on its length. */
import type { Socket } from 'node:net';
import { parseExactJson } from '../../kernel/exact-json.ts';

/** A client that does not read for too long is disconnected: unread data is not kept forever. */
const mostUnheardBytes = 32 * 1024 * 1024;

export function sendLine(socket: Socket, message: unknown): void {
  if (!socket.writable) return;
  if (socket.writableLength > mostUnheardBytes) socket.destroy();
  else socket.write(`${JSON.stringify(message)}\n`);
}

export interface LineListener {
  readonly mostBytes: number;
  receive(message: unknown): void;
  /** A line that is not JSON, or longer than allowed: after that, nothing more is read. */
  refuse(what: string, isOver: boolean): void;
}

export function onLines(socket: Socket, { mostBytes, receive, refuse }: LineListener): void {
  let parts: string[] = [];
  let length = 0;
  let isOver = false;
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    if (isOver) return;
    const [first = '', ...others] = chunk.split('\n');
    for (const [index, piece] of [first, ...others].entries()) {
      // Each newline ends the line collected so far.
      if (index > 0) {
        const line = parts.join('');
        parts = [];
        length = 0;
        const parsed = parse(line);
        if ('message' in parsed) receive(parsed.message);
        else refuse('a line is not JSON', false);
      }
      parts.push(piece);
      length += piece.length;
    }
    if (length <= mostBytes) return;
    isOver = true;
    parts = [];
    refuse(`a line is longer than ${mostBytes} bytes`, true);
  });
}

function parse(line: string): { readonly message: unknown } | Record<never, never> {
  try {
    return { message: parseExactJson(line) };
  } catch {
    return {}; // the caller reports it
  }
}
