import { afterEach, expect, test } from 'vitest';
import { eventually, manyTurns, settled } from '../../../test/taps/eventually.ts';
import { sendSteadily } from '../../../test/taps/send-steadily.ts';
import { type WiredEdge, wiredEdge } from '../../../test/taps/wired-edge.ts';

let wired: WiredEdge;

afterEach(() => wired.close());

test('nothing passes until lifted, then everything does, in order, the end last', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  await wired.tap.disturb({ rule: 'hold' });
  for (const word of ['one ', 'two ', 'three']) consumer.socket.write(word);
  consumer.socket.end();
  provider.socket.write('answer');
  await eventually(() => wired.tap.stats().bytesWaiting === 13 + 6);
  await manyTurns();
  expect([provider.gotBytes, consumer.gotBytes, provider.heard]).toEqual([0, 0, undefined]);
  expect(wired.tap.stats()).toMatchObject({ bytesSent: 0, bytesReceived: 0 });
  await wired.tap.disturb({ rule: 'pass' });
  expect(await provider.over).toBe('fin');
  expect(provider.got.toString()).toBe('one two three');
  await eventually(() => consumer.got.toString() === 'answer');
  expect(wired.tap.stats()).toMatchObject({ bytesSent: 13, bytesReceived: 6, bytesWaiting: 0 });
});

test('a new connection is held too', async () => {
  wired = await wiredEdge();
  await wired.tap.disturb({ rule: 'hold' });
  const { consumer, provider } = await wired.join();
  consumer.socket.write('held');
  await eventually(() => wired.tap.stats().bytesWaiting === 4);
  expect(provider.gotBytes).toBe(0);
  await wired.tap.disturb({ rule: 'pass' });
  await eventually(() => provider.got.toString() === 'held');
});

test('one direction may be held while the other goes on', async () => {
  wired = await wiredEdge();
  await wired.tap.disturb({ rule: 'hold', direction: 'received' });
  const { consumer, provider } = await wired.join();
  consumer.socket.write('goes');
  await eventually(() => provider.got.toString() === 'goes');
  provider.socket.write('waits');
  await eventually(() => wired.tap.stats().bytesWaiting === 5);
  expect(consumer.gotBytes).toBe(0);
});

test('a reset waits behind what is held, and still arrives', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  await wired.tap.disturb({ rule: 'hold' });
  consumer.socket.write('last words');
  await eventually(() => wired.tap.stats().bytesWaiting === 10);
  consumer.socket.resetAndDestroy();
  await manyTurns();
  expect(provider.heard).toBeUndefined();
  await wired.tap.disturb({ rule: 'pass' });
  expect(await provider.over).toBe('ECONNRESET');
  expect(provider.got.toString()).toBe('last words');
});

test('held bytes stay unchanged, whatever comes after them', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  await wired.tap.disturb({ rule: 'hold' });
  const letters = ['a', 'b', 'c', 'd'];
  for (const [index, letter] of letters.entries()) {
    provider.socket.write(letter.repeat(5_000));
    await eventually(() => wired.tap.stats().bytesWaiting === (index + 1) * 5_000);
  }
  await wired.tap.disturb({ rule: 'pass' });
  await eventually(() => consumer.gotBytes === 20_000);
  expect(consumer.got.toString()).toBe(letters.map((letter) => letter.repeat(5_000)).join(''));
});

test('the side that is left is not stopped by bytes that cannot be delivered', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  await wired.tap.disturb({ rule: 'hold' });
  const totalBytes = 64 * 1024 * 1024;
  const sending = sendSteadily(provider.socket, totalBytes);
  await settled(() => sending.takenBytes);
  consumer.socket.resetAndDestroy();
  await eventually(() => sending.takenBytes === totalBytes);
  expect(wired.ends()).toEqual([]);
  await wired.tap.close();
  expect(wired.ends()).toEqual(['reset-by-consumer']);
});

test('what is released waits for a reader that does not read', async () => {
  wired = await wiredEdge({ limits: { tapBufferedBytes: 32 * 1024 * 1024 } });
  const { consumer, provider } = await wired.join();
  await wired.tap.disturb({ rule: 'hold' });
  const totalBytes = 30 * 1024 * 1024;
  sendSteadily(provider.socket, totalBytes);
  await eventually(() => wired.tap.stats().bytesWaiting === totalBytes);
  consumer.socket.pause();
  await wired.tap.disturb({ rule: 'pass' });
  await settled(() => wired.tap.stats().bytesWaiting);
  expect(wired.tap.stats().bytesWaiting).toBeGreaterThan(totalBytes / 3);
  consumer.socket.resume();
  await eventually(() => consumer.gotBytes === totalBytes);
});

test('the sender stops and the tap stays small', async () => {
  const tapBufferedBytes = 256 * 1024;
  wired = await wiredEdge({ limits: { tapBufferedBytes } });
  const { provider, consumer } = await wired.join();
  await wired.tap.disturb({ rule: 'hold' });
  const totalBytes = 64 * 1024 * 1024;
  const sending = sendSteadily(provider.socket, totalBytes);
  await settled(() => sending.takenBytes);
  const stalledAt = sending.takenBytes;
  expect(stalledAt).toBeLessThan(totalBytes);
  expect(wired.tap.stats().bytesWaiting).toBeGreaterThanOrEqual(tapBufferedBytes / 2);
  expect(wired.tap.stats().bytesWaiting).toBeLessThanOrEqual(tapBufferedBytes + 256 * 1024);
  await wired.tap.disturb({ rule: 'pass' });
  await eventually(() => consumer.gotBytes === totalBytes);
});

test('tiny pieces do not keep large buffers alive', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  const bulkBytes = 8 * 1024 * 1024;
  provider.socket.write(Buffer.alloc(bulkBytes));
  await eventually(() => consumer.gotBytes === bulkBytes);
  await wired.tap.disturb({ rule: 'hold' });
  const before = process.memoryUsage().arrayBuffers;
  for (let sent = 1; sent <= 200; sent += 1) {
    provider.socket.write('x');
    await eventually(() => wired.tap.stats().bytesWaiting === sent);
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
});

test('many tiny pieces are bounded too', async () => {
  wired = await wiredEdge({ limits: { tapBufferedBytes: 4_096 } });
  const { consumer, provider } = await wired.join();
  await wired.tap.disturb({ rule: 'hold' });
  consumer.socket.setNoDelay(true);
  for (let sent = 1; sent <= 60; sent += 1) {
    consumer.socket.write('x');
    await manyTurns(20);
  }
  expect(wired.tap.stats().bytesWaiting).toBeGreaterThan(0);
  expect(wired.tap.stats().bytesWaiting).toBeLessThan(30);
  await wired.tap.disturb({ rule: 'pass' });
  await eventually(() => provider.gotBytes === 60);
});
