/** Sends everything to one client in order, however slowly it reads: unread data is spilled to an unlinked file. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { removeFile } from '../../kernel/folders/entries-below.ts';
import { limits } from '../../kernel/limits.ts';

export interface Outbox {
  send(message: unknown): void;
  /** Bytes that are not sent yet. */
  unheard(): number;
}

/** Answers are queued behind earlier events: a client that has an answer has received all events before it. */
export function openOutbox(socket: Socket, spillFile: string): Outbox {
  let spill: Spill | undefined;
  const close = (): void => {
    spill?.close();
    spill = undefined;
  };
  socket.on('close', close);
  socket.on('drain', () => {
    while (spill && socket.writable && hasRoom(socket)) {
      socket.write(spill.take());
      if (spill.length() === 0) close();
    }
  });
  return {
    send: (message) => {
      if (!socket.writable) return;
      const line = `${JSON.stringify(message)}\n`;
      if (!spill && hasRoom(socket)) return void socket.write(line);
      try {
        spill ??= openSpill(spillFile);
        spill.add(Buffer.from(line));
      } catch (error) {
        // The disk is full: the client cannot receive everything, and must notice that.
        socket.destroy(error as Error);
      }
    },
    unheard: () => socket.writableLength + (spill?.length() ?? 0),
  };
}

function hasRoom(socket: Socket): boolean {
  return socket.writableLength < limits.unheardInMemoryBytes;
}

interface Spill {
  add(bytes: Buffer): void;
  take(): Buffer;
  length(): number;
  close(): void;
}

function openSpill(file: string): Spill {
  const descriptor = openSync(file, 'wx+', 0o600);
  removeFile(file);
  let begin = 0;
  let end = 0;
  return {
    add: (bytes) => {
      if (end - begin + bytes.length > limits.unheardBytes) throw new Error('a client never reads');
      let done = 0;
      while (done < bytes.length) done += writeSync(descriptor, bytes, done, bytes.length - done, end + done);
      end += bytes.length;
    },
    take: () => {
      const bytes = Buffer.allocUnsafe(Math.min(end - begin, limits.unheardInMemoryBytes));
      const read = readSync(descriptor, bytes, 0, bytes.length, begin);
      begin += read;
      return bytes.subarray(0, read);
    },
    length: () => end - begin,
    close: () => closeSync(descriptor),
  };
}
