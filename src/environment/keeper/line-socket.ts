/** A socket on which each line is one JSON message, with a limit on its length. */

import type { Socket } from 'node:net';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { limits } from '../../kernel/limits.ts';

/** Whoever does not listen for too long is cut off: we do not keep its mail for ever. */
const mostUnheardBytes = 32 * 1024 * 1024;

export function sendLine(socket: Socket, message: unknown): void {
  if (!socket.writable) return;
  if (socket.writableLength > mostUnheardBytes) socket.destroy();
  else socket.write(`${JSON.stringify(message)}\n`);
}

/** Whoever sends something else than lines of JSON is cut off. */
export function onLines(socket: Socket, receive: (message: unknown) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > limits.socketMessageBytes)
      socket.destroy(new Error('a message on the keeper’s socket was too long'));
    for (const line of lines) {
      const message = parse(line);
      if (message === undefined) socket.destroy(new Error('a message on the keeper’s socket was not JSON'));
      else receive(message);
    }
  });
}

function parse(line: string): unknown {
  try {
    return parseExactJson(line);
  } catch {
    return undefined; // the caller cuts the connection
  }
}
