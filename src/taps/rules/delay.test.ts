import { afterEach, describe, expect, test } from 'vitest';
import { eventually, manyTurns } from '../../../test/taps/eventually.ts';
import { createHandClock } from '../../../test/taps/hand-clock.ts';
import { type WiredEdge, wiredEdge } from '../../../test/taps/wired-edge.ts';
import { createRandom } from '../../kernel/random.ts';
import { ruleFor as delayRule } from '../disturbance.ts';

describe('on an edge', () => {
  let wired: WiredEdge;
  const clock = createHandClock();

  afterEach(() => wired.close());

  test('bytes come when their time has come, not before', async () => {
    wired = await wiredEdge({ clock });
    await wired.tap.disturb({ rule: 'delay', ms: 100 });
    const { consumer, provider } = await wired.join();
    consumer.socket.write('first');
    await eventually(() => wired.tap.stats().bytesWaiting === 5);
    clock.advance(60);
    consumer.socket.write('second');
    await eventually(() => wired.tap.stats().bytesWaiting === 11);
    clock.advance(39);
    await manyTurns();
    expect(provider.gotBytes).toBe(0);
    clock.advance(1);
    await eventually(() => provider.gotBytes > 0);
    await manyTurns();
    expect(provider.got.toString()).toBe('first');
    clock.advance(60);
    await eventually(() => provider.got.toString() === 'firstsecond');
  });

  test('a close that follows delayed bytes comes after them, and none is lost', async () => {
    wired = await wiredEdge({ clock });
    await wired.tap.disturb({ rule: 'delay', ms: 50 });
    const { consumer, provider } = await wired.join();
    provider.socket.write('a'.repeat(10_000));
    provider.socket.end('the end');
    await eventually(() => wired.tap.stats().bytesWaiting === 10_007);
    await manyTurns();
    expect([consumer.gotBytes, consumer.heard]).toEqual([0, undefined]);
    clock.advance(50);
    expect(await consumer.over).toBe('fin');
    expect(consumer.got.toString()).toBe(`${'a'.repeat(10_000)}the end`);
  });

  test('a reset that follows delayed bytes comes after them', async () => {
    wired = await wiredEdge({ clock });
    await wired.tap.disturb({ rule: 'delay', ms: 50 });
    const { consumer, provider } = await wired.join();
    consumer.socket.write('last words');
    await eventually(() => wired.tap.stats().bytesWaiting === 10);
    clock.advance(10);
    consumer.socket.resetAndDestroy();
    await manyTurns();
    clock.advance(40);
    await eventually(() => provider.got.toString() === 'last words');
    await manyTurns();
    expect(provider.heard).toBeUndefined();
    clock.advance(10);
    expect(await provider.over).toBe('ECONNRESET');
  });

  test('the direction that is not meant is not late', async () => {
    wired = await wiredEdge({ clock });
    await wired.tap.disturb({ rule: 'delay', ms: 1_000, direction: 'received' });
    const { consumer, provider } = await wired.join();
    consumer.socket.write('prompt');
    await eventually(() => provider.got.toString() === 'prompt');
    provider.socket.write('late');
    await eventually(() => wired.tap.stats().bytesWaiting === 4);
    expect(consumer.gotBytes).toBe(0);
  });

  test('lifting it releases what waits', async () => {
    wired = await wiredEdge({ clock });
    await wired.tap.disturb({ rule: 'delay', ms: 1_000_000 });
    const { consumer, provider } = await wired.join();
    consumer.socket.write('free');
    await eventually(() => wired.tap.stats().bytesWaiting === 4);
    await wired.tap.disturb({ rule: 'pass' });
    await eventually(() => provider.got.toString() === 'free');
  });
});

describe('jitter', () => {
  const dueTimes = (seed: string, connection: number): number[] => {
    const rule = delayRule({ rule: 'delay', ms: 10, jitterMs: 5 }, createRandom(seed));
    const gate = rule.gate({ direction: 'sent', connection });
    return Array.from({ length: 20 }, () => {
      const front = { arrivedAt: 100, length: 1 };
      const first = gate?.decide(front, 100);
      const again = gate?.decide(front, 101);
      expect(again).toEqual(first);
      return first?.then === 'wait' ? (first.until ?? 0) : 0;
    });
  };

  test('stays within its bounds, varies, and is drawn once for each piece', () => {
    const times = dueTimes('seed', 1);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(110);
    expect(Math.max(...times)).toBeLessThan(115);
    expect(new Set(times).size).toBeGreaterThan(10);
  });

  test('the same seed gives the same times, another connection gives others', () => {
    expect(dueTimes('seed', 1)).toEqual(dueTimes('seed', 1));
    expect(dueTimes('seed', 1)).not.toEqual(dueTimes('seed', 2));
    expect(dueTimes('seed', 1)).not.toEqual(dueTimes('other', 1));
  });
});
