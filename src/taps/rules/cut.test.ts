import { afterEach, describe, expect, test } from 'vitest';
import { eventually, manyTurns, settled } from '../../../test/taps/eventually.ts';
import { sendSteadily } from '../../../test/taps/send-steadily.ts';
import { type WiredEdge, wiredEdge } from '../../../test/taps/wired-edge.ts';

let wired: WiredEdge;

afterEach(() => wired.close());

const heardAfter = { fin: 'fin', reset: 'ECONNRESET' } as const;

describe.each(['fin', 'reset'] as const)('cut by %s', (by) => {
  test('at once: existing connections', async () => {
    wired = await wiredEdge();
    const { consumer, provider } = await wired.join();
    await wired.tap.disturb({ rule: 'cut', direction: 'both', by });
    expect(await consumer.over).toBe(heardAfter[by]);
    expect(await provider.over).toBe(heardAfter[by]);
    await eventually(() => wired.ends().length === 1);
    expect(wired.ends()).toEqual(['cut']);
  });

  test('at once: new connections, of which the provider learns nothing', async () => {
    wired = await wiredEdge();
    await wired.tap.disturb({ rule: 'cut', direction: 'both', by });
    expect(await wired.knock().over).toBe(heardAfter[by]);
    await eventually(() => wired.ends().length === 1);
    await wired.tap.disturb({ rule: 'pass' });
    const { consumer, provider } = await wired.join();
    consumer.socket.end('the first that it hears of');
    await provider.over;
    expect(provider.got.toString()).toBe('the first that it hears of');
    expect(wired.ends()[0]).toBe('cut');
  });

  test('after exactly so many received bytes', async () => {
    wired = await wiredEdge();
    await wired.tap.disturb({ rule: 'cut', direction: 'received', afterBytes: 1_000, by });
    const { consumer, provider } = await wired.join();
    consumer.socket.write('x'.repeat(5_000));
    await eventually(() => provider.gotBytes === 5_000);
    provider.socket.write('a'.repeat(600));
    await eventually(() => consumer.gotBytes === 600);
    provider.socket.write('b'.repeat(600));
    expect(await consumer.over).toBe(heardAfter[by]);
    expect(consumer.got.toString()).toBe('a'.repeat(600) + 'b'.repeat(400));
    expect(await provider.over).toBe(heardAfter[by]);
    await eventually(() => wired.ends().length === 1);
    expect(wired.closedEvents()[0]).toMatchObject({ end: 'cut', bytesSent: 5_000, bytesReceived: 1_000 });
  });

  test('after exactly so many sent bytes, counted from the rule on', async () => {
    wired = await wiredEdge();
    const { consumer, provider } = await wired.join();
    consumer.socket.write('before');
    await eventually(() => provider.gotBytes === 6);
    await wired.tap.disturb({ rule: 'cut', direction: 'sent', afterBytes: 3, by });
    consumer.socket.write('after');
    expect(await provider.over).toBe(heardAfter[by]);
    expect(provider.got.toString()).toBe('beforeaft');
  });

  test('bytes that came before the provider was reached count, and arrive', async () => {
    wired = await wiredEdge();
    await wired.tap.disturb({ rule: 'cut', direction: 'sent', afterBytes: 5, by });
    const consumer = wired.knock();
    consumer.socket.write('early bird');
    const provider = await wired.nextAtProvider();
    expect(await provider.over).toBe(heardAfter[by]);
    expect(provider.got.toString()).toBe('early');
  });

  test('the cut comes with the last allowed byte, not with the next one', async () => {
    wired = await wiredEdge();
    await wired.tap.disturb({ rule: 'cut', direction: 'both', afterBytes: 4, by });
    const { consumer, provider } = await wired.join();
    provider.socket.write('four');
    expect(await consumer.over).toBe(heardAfter[by]);
    expect(consumer.got.toString()).toBe('four');
  });

  test.each([1_000_000, 3_000_000])('a slow reader gets all of %d bytes', async (afterBytes) => {
    wired = await wiredEdge();
    await wired.tap.disturb({ rule: 'cut', direction: 'received', afterBytes, by });
    const { consumer, provider } = await wired.join();
    consumer.socket.pause();
    const sent = Buffer.alloc(8_000_000, 'abcdefg');
    provider.socket.write(sent);
    await manyTurns(20_000);
    expect(wired.ends()).toEqual([]);
    consumer.socket.resume();
    expect(await consumer.over).toBe(heardAfter[by]);
    expect(consumer.gotBytes).toBe(afterBytes);
    expect(consumer.got.equals(sent.subarray(0, afterBytes))).toBe(true);
  });

  test('a direction that is not meant passes as before, and its end too', async () => {
    wired = await wiredEdge();
    await wired.tap.disturb({ rule: 'cut', direction: 'received', afterBytes: 10, by });
    const { consumer, provider } = await wired.join();
    consumer.socket.end('y'.repeat(100));
    expect(await provider.over).toBe('fin');
    expect(provider.gotBytes).toBe(100);
    provider.socket.end('under 10');
    expect(await consumer.over).toBe('fin');
    await eventually(() => wired.ends().length === 1);
    expect(wired.ends()).toEqual(['closed']);
  });
});

test('a cut by reset at once does not wait for a reader that does not read', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  consumer.socket.pause();
  const sending = sendSteadily(provider.socket, 64 * 1024 * 1024);
  await settled(() => sending.takenBytes);
  await wired.tap.disturb({ rule: 'cut', direction: 'both', by: 'reset' });
  await eventually(() => wired.ends().length === 1);
  expect(await provider.over).toMatch(/ECONNRESET|EPIPE/);
});

test('a consumer that writes after a cut by fin gets a reset', async () => {
  wired = await wiredEdge();
  const { consumer } = await wired.join();
  await wired.tap.disturb({ rule: 'cut', direction: 'both', by: 'fin' });
  expect(await consumer.over).toBe('fin');
  await eventually(() => wired.ends().length === 1);
  const broken = new Promise((resolve) => consumer.socket.once('error', resolve));
  while (!consumer.socket.destroyed) {
    consumer.socket.write('anybody?');
    await manyTurns(1);
  }
  expect(await broken).toMatchObject({ code: expect.stringMatching(/EPIPE|ECONNRESET/) });
});
