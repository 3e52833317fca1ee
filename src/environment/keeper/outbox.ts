/** Sends everything to one client in order, however slowly it reads: unread data is spilled to an unlinked file. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { removeFile } from '../../kernel/folders/entries-below.ts';
import { limits } from '../../kernel/limits.ts';

/** Answers are queued behind earlier events: a client that has an answer has received all events before it. */
export function openOutbox(socket: Socket, spillFile: string) {
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
    send: (message: unknown): void => {
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
    /** Bytes that are not sent yet. */
    unheard: (): number => socket.writableLength + (spill?.length() ?? 0),
  };
}

export type Outbox = ReturnType<typeof openOutbox>;

function hasRoom(socket: Socket): boolean {
  return socket.writableLength < limits.unheardInMemoryBytes;
}

function openSpill(file: string) {
  const descriptor = openSync(file, 'wx+', 0o600);
  removeFile(file);
  let begin = 0;
  let end = 0;
  return {
    add: (bytes: Buffer): void => {
      if (end - begin + bytes.length > limits.unheardBytes) throw new Error('a client never reads');
      let done = 0;
      while (done < bytes.length) done += writeSync(descriptor, bytes, done, bytes.length - done, end + done);
      end += bytes.length;
    },
    take: (): Buffer => {
      const bytes = Buffer.allocUnsafe(Math.min(end - begin, limits.unheardInMemoryBytes));
      const read = readSync(descriptor, bytes, 0, bytes.length, begin);
      begin += read;
      return bytes.subarray(0, read);
    },
    length: (): number => end - begin,
    close: (): void => closeSync(descriptor),
  };
}

type Spill = ReturnType<typeof openSpill>;
