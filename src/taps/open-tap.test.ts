import { afterEach, describe, expect, test } from 'vitest';
import { eventually, manyTurns } from '../../test/taps/eventually.ts';
import { type WiredEdge, wiredEdge } from '../../test/taps/wired-edge.ts';
import type { TapOptions } from './tap.ts';

const edges: WiredEdge[] = [];

async function edge(options: Partial<TapOptions> = {}): Promise<WiredEdge> {
  const wired = await wiredEdge(options);
  edges.push(wired);
  return wired;
}

afterEach(async () => {
  await Promise.all(edges.splice(0).map((wired) => wired.close()));
});

describe('a tap without rules', () => {
  test('passes bytes both ways and writes the connection down', async () => {
    const { tap, join, events, closedEvents } = await edge();
    const { consumer, provider } = await join();
    consumer.socket.write('ping');
    await eventually(() => provider.got.toString() === 'ping');
    provider.socket.end('pong!');
    await consumer.over;
    consumer.socket.end();
    await eventually(() => closedEvents().length === 1);
    expect(consumer.got.toString()).toBe('pong!');
    expect(events[0]).toEqual({ type: 'connection.opened', from: 'app', to: 'store', connection: 1 });
    expect(events[1]).toMatchObject({ end: 'closed', connection: 1, bytesSent: 4, bytesReceived: 5 });
    const [closed] = closedEvents();
    expect(closed?.firstByteMs).toBeLessThanOrEqual(closed?.openMs ?? 0);
    expect(tap.stats()).toMatchObject({ open: 0, total: 1, bytesSent: 4, bytesReceived: 5, bytesWaiting: 0 });
  });

  test('numbers its connections and counts what is open', async () => {
    const { tap, join, events } = await edge();
    await join();
    await join();
    expect(tap.stats()).toMatchObject({ open: 2, total: 2 });
    expect(events.map((event) => 'connection' in event && event.connection)).toEqual([1, 2]);
  });

  test('has no first byte where the provider never answered', async () => {
    const { join, closedEvents } = await edge();
    const { consumer, provider } = await join();
    consumer.socket.end('a question');
    await provider.over;
    provider.socket.end();
    await eventually(() => closedEvents().length === 1);
    expect(closedEvents()[0]).not.toHaveProperty('firstByteMs');
  });

  test('moves lastActivityAt when bytes pass and when a connection goes', async () => {
    const { tap, join } = await edge();
    const { consumer, provider } = await join();
    const before = tap.stats().lastActivityAt;
    await manyTurns(5);
    consumer.socket.write('x');
    await eventually(() => provider.gotBytes === 1);
    const afterBytes = tap.stats().lastActivityAt;
    expect(afterBytes).toBeGreaterThan(before);
    await manyTurns(5);
    consumer.socket.resetAndDestroy();
    await eventually(() => tap.stats().open === 0);
    expect(tap.stats().lastActivityAt).toBeGreaterThan(afterBytes);
  });

  test('loses nothing of a burst that comes before the provider is reached', async () => {
    const { knock, nextAtProvider } = await edge();
    const consumer = knock();
    const burst = Buffer.alloc(300_000, 'burst');
    consumer.socket.end(burst);
    const provider = await nextAtProvider();
    expect(await provider.over).toBe('fin');
    expect(provider.got.equals(burst)).toBe(true);
  });

  test('dials a provider by name', async () => {
    let port = 0;
    const wired = await edge({ target: () => ({ host: 'localhost', port }) });
    port = wired.providerPort;
    const { consumer, provider } = await wired.join();
    provider.socket.end('by name');
    expect(await consumer.over).toBe('fin');
    expect(consumer.got.toString()).toBe('by name');
  });

  test('serves many connections at once, each its own bytes', async () => {
    const { tap, join } = await edge();
    const pairs = await Promise.all(Array.from({ length: 50 }, () => join()));
    for (const { provider } of pairs) provider.socket.on('data', (chunk) => provider.socket.write(chunk));
    const texts = pairs.map((_, index) => `connection ${index} `.repeat(200));
    for (const [index, { consumer }] of pairs.entries()) consumer.socket.write(texts[index] ?? '');
    await eventually(() => pairs.every(({ consumer }, index) => consumer.got.toString() === texts[index]));
    expect(tap.stats().open).toBe(50);
  });
});

describe('half-closes and ends', () => {
  test('a half-close of the consumer reaches the provider, which goes on answering', async () => {
    const { join, ends } = await edge();
    const { consumer, provider } = await join();
    consumer.socket.end('that is all');
    expect(await provider.over).toBe('fin');
    expect(consumer.heard).toBeUndefined();
    provider.socket.end('a late answer');
    expect(await consumer.over).toBe('fin');
    expect(consumer.got.toString()).toBe('a late answer');
    await eventually(() => ends().length === 1);
    expect(ends()).toEqual(['closed']);
  });

  test('a half-close of the provider reaches the consumer, which goes on sending', async () => {
    const { join, ends } = await edge();
    const { consumer, provider } = await join();
    provider.socket.end('that is all');
    expect(await consumer.over).toBe('fin');
    expect(provider.heard).toBeUndefined();
    consumer.socket.end('a late word');
    expect(await provider.over).toBe('fin');
    expect(provider.got.toString()).toBe('a late word');
    await eventually(() => ends().length === 1);
    expect(ends()).toEqual(['closed']);
  });

  test('a reset of the consumer is a reset at the provider', async () => {
    const { join, ends } = await edge();
    const { consumer, provider } = await join();
    consumer.socket.write('begun');
    await eventually(() => provider.gotBytes === 5);
    consumer.socket.resetAndDestroy();
    expect(await provider.over).toBe('ECONNRESET');
    await eventually(() => ends().length === 1);
    expect(ends()).toEqual(['reset-by-consumer']);
  });

  test('a reset of the provider is a reset at the consumer', async () => {
    const { join, ends } = await edge();
    const { consumer, provider } = await join();
    provider.socket.write('begun');
    await eventually(() => consumer.gotBytes === 5);
    provider.socket.resetAndDestroy();
    expect(await consumer.over).toBe('ECONNRESET');
    await eventually(() => ends().length === 1);
    expect(ends()).toEqual(['reset-by-provider']);
  });

  test.each(['consumer', 'provider'] as const)(
    'a reset of the %s that comes with its last bytes is a reset',
    async (side) => {
      const { join, ends } = await edge();
      const pair = await join();
      const other = side === 'consumer' ? pair.provider : pair.consumer;
      const broken = new Promise((resolve) => other.socket.once('error', resolve));
      pair.consumer.socket.write('?');
      await eventually(() => pair.provider.gotBytes === 1);
      pair[side].socket.write('last words', () => pair[side].socket.resetAndDestroy());
      await eventually(() => ends().length === 1);
      expect(ends()).toEqual([`reset-by-${side}`]);
      expect(await broken).toMatchObject({ code: 'ECONNRESET' });
      expect(other.got.toString()).toMatch(/last words$/);
    },
  );

  test('a provider that takes the call and breaks off at once was reached', async () => {
    const { knock, nextAtProvider, ends, events } = await edge();
    const consumer = knock();
    (await nextAtProvider()).socket.resetAndDestroy();
    expect(await consumer.over).toBe('ECONNRESET');
    await eventually(() => ends().length === 1);
    expect(ends()).toEqual(['reset-by-provider']);
    expect(events.filter(({ type }) => type === 'connection.refused')).toEqual([]);
  });

  test('a FIN arrives, though the side that sent it then resets', async () => {
    const { join, ends } = await edge();
    const { consumer, provider } = await join();
    provider.socket.end('too much, goodbye');
    await eventually(() => provider.socket.writableFinished);
    consumer.socket.write('more and more');
    provider.socket.destroy();
    expect(await consumer.over).toBe('fin');
    expect(consumer.got.toString()).toBe('too much, goodbye');
    await eventually(() => {
      consumer.socket.write('and more');
      return ends().length === 1;
    });
    expect(ends()).toEqual(['reset-by-provider']);
  });

  test('a reset after a half-close is still a reset, as soon as something is sent to the lost side', async () => {
    const { join, ends } = await edge();
    const { consumer, provider } = await join();
    const broken = new Promise((resolve) => provider.socket.once('error', resolve));
    consumer.socket.end('half');
    expect(await provider.over).toBe('fin');
    consumer.socket.resetAndDestroy();
    await consumer.gone;
    while (!provider.socket.destroyed) {
      provider.socket.write('an answer');
      await manyTurns(1);
    }
    expect(await broken).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) });
    await eventually(() => ends().length === 1);
    expect(ends()).toEqual(['reset-by-consumer']);
  });
});

describe('a connection that cannot be', () => {
  test('is reset while the provider does not listen yet', async () => {
    const { knock, events } = await edge({ target: () => undefined });
    expect(await knock().over).toBe('ECONNRESET');
    expect(events).toEqual([
      { type: 'connection.refused', from: 'app', to: 'store', because: 'provider-not-listening' },
    ]);
  });

  test('is reset where the provider is unreachable', async () => {
    const { knock, events, ends, stopProvider } = await edge();
    stopProvider();
    const consumer = knock();
    consumer.socket.write('hello?');
    expect(await consumer.over).toBe('ECONNRESET');
    await eventually(() => ends().length === 1);
    expect(events.map(({ type }) => type)).toEqual([
      'connection.opened',
      'connection.refused',
      'connection.closed',
    ]);
    expect(events[1]).toMatchObject({ because: 'provider-unreachable' });
    expect(ends()).toEqual(['unreachable']);
  });

  test('is reset when there are too many, and taken again when one has gone', async () => {
    const { join, knock, events, tap } = await edge({ limits: { tapConnections: 1 } });
    const { consumer } = await join();
    expect(await knock().over).toBe('ECONNRESET');
    expect(events.at(-1)).toMatchObject({ type: 'connection.refused', because: 'too-many' });
    expect(tap.stats()).toMatchObject({ open: 1, total: 1 });
    consumer.socket.resetAndDestroy();
    await eventually(() => tap.stats().open === 0);
    const next = await join();
    expect(next.consumer.heard).toBeUndefined();
  });

  test('is reset as long as files can still be opened, and says which limit it met', async () => {
    const { knock, events } = await edge({ limits: { openFiles: 6 } });
    expect(await knock().over).toBe('ECONNRESET');
    expect(events).toMatchObject([
      {
        type: 'connection.refused',
        because: 'too-many',
        what: expect.stringMatching(/at most 6 files open.*ulimit -n/),
      },
    ]);
  });
});

describe('close', () => {
  test('resets what is open, gives the port back and is done when all is gone', async () => {
    const { tap, join, knock, ends } = await edge();
    const { consumer, provider } = await join();
    await tap.close();
    expect(ends()).toEqual(['tap-closed']);
    expect(tap.stats().open).toBe(0);
    expect(await consumer.over).toBe('ECONNRESET');
    expect(await provider.over).toBe('ECONNRESET');
    expect(await knock().over).toBe('ECONNREFUSED');
  });

  test('may be called twice, and a closed tap takes no rules', async () => {
    const { tap } = await edge();
    await Promise.all([tap.close(), tap.close()]);
    await expect(tap.disturb({ rule: 'hold' })).rejects.toThrow('app -> store is closed');
  });

  test('takes an address of its own choice', async () => {
    const { tap, join } = await edge({ host: '127.0.0.2' });
    expect(tap.host).toBe('127.0.0.2');
    const { consumer, provider } = await join();
    provider.socket.end('here');
    await consumer.over;
    expect(consumer.got.toString()).toBe('here');
  });
});
