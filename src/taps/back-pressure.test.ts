import { createHash, randomFillSync } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually, manyTurns, settled } from '../../test/taps/eventually.ts';
import { sendSteadily } from '../../test/taps/send-steadily.ts';
import { type WiredEdge, wiredEdge } from '../../test/taps/wired-edge.ts';

const mb = 1024 * 1024;
const totalBytes = 100 * mb;
/** Of an odd length, so that its borders fall on every place of a buffer. */
const piece = randomFillSync(Buffer.alloc(100_003));

let wired: WiredEdge;

afterEach(() => wired.close());

describe.each(['sent', 'received'] as const)('100 MB %s', (direction) => {
  test('pass intact, and the end after them', async () => {
    wired = await wiredEdge();
    const { sender, reader } = await openEnds(direction);
    const hash = hashOf(reader);
    const sending = sendSteadily(sender, totalBytes, piece);
    await eventually(() => sending.takenBytes === totalBytes);
    sender.end();
    expect(await hash).toBe(expectedHash());
    expect(wired.tap.stats()[direction === 'sent' ? 'bytesSent' : 'bytesReceived']).toBe(totalBytes);
  });

  test('stop at a reader that does not read, in bounded memory, and go on when it does', async () => {
    wired = await wiredEdge();
    const { sender, reader } = await openEnds(direction);
    reader.pause();
    const before = process.memoryUsage().arrayBuffers;
    const sending = sendSteadily(sender, totalBytes, piece);
    await settled(() => sending.takenBytes);
    expect(sending.takenBytes).toBeLessThan(totalBytes);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * mb);
    const hash = hashOf(reader);
    await eventually(() => sending.takenBytes === totalBytes);
    sender.end();
    expect(await hash).toBe(expectedHash());
  });
});

test('pieces that wait for a slow reader are not overwritten by those that follow', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  consumer.socket.pause();
  const pieces = Array.from({ length: 2_000 }, (_, index) => Buffer.alloc(6_000, String(index)));
  for (const bytes of pieces) {
    provider.socket.write(bytes);
    await manyTurns(3);
  }
  consumer.socket.resume();
  await eventually(() => consumer.gotBytes === 2_000 * 6_000);
  expect(consumer.got.equals(Buffer.concat(pieces))).toBe(true);
});

/** Bare sockets: what they get is not kept. */
async function openEnds(direction: 'sent' | 'received'): Promise<{ sender: Socket; reader: Socket }> {
  const { consumer, provider } = await wired.join();
  consumer.socket.removeAllListeners('data');
  provider.socket.removeAllListeners('data');
  return direction === 'sent'
    ? { sender: consumer.socket, reader: provider.socket }
    : { sender: provider.socket, reader: consumer.socket };
}

function hashOf(reader: Socket): Promise<string> {
  const hash = createHash('sha256');
  reader.on('data', (chunk) => hash.update(chunk));
  reader.resume();
  return new Promise((resolve) => reader.once('end', () => resolve(hash.digest('hex'))));
}

function expectedHash(): string {
  const hash = createHash('sha256');
  for (let left = totalBytes; left > 0; left -= piece.length)
    hash.update(piece.subarray(0, Math.min(left, piece.length)));
  return hash.digest('hex');
}
