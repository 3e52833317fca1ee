import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../../test/taps/eventually.ts';
import { type WiredEdge, wiredEdge } from '../../../test/taps/wired-edge.ts';

let wired: WiredEdge;

afterEach(() => wired.close());

const refusals = () => wired.events.filter((event) => event.type === 'connection.refused');

test('what is open is reset, and every connection attempt after it is reset and recorded', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  await wired.tap.disturb({ rule: 'deny' });
  expect(await consumer.over).toBe('ECONNRESET');
  expect(await provider.over).toBe('ECONNRESET');
  for (let knocks = 1; knocks <= 3; knocks += 1) {
    const late = wired.knock();
    late.socket.write('anybody?');
    expect(await late.over).toMatch(/^(?:ECONNRESET|EPIPE)$/);
    await eventually(() => refusals().length === knocks);
  }
  expect(new Set(refusals().map(({ because }) => because))).toEqual(new Set(['rule']));
  expect(wired.events.filter(({ type }) => type === 'connection.opened')).toHaveLength(1);
  expect(wired.ends()).toEqual(['cut']);
  // An idle connection that is reset has met it, too.
  expect(wired.events.filter(({ type }) => type === 'disturbance.felt')).toMatchObject([
    { disturbance: 'deny', connection: 1, what: 'an open connection was reset' },
  ]);
});

test('lifted, it accepts connections again', async () => {
  wired = await wiredEdge();
  await wired.tap.disturb({ rule: 'deny' });
  await wired.knock().over;
  await wired.tap.disturb({ rule: 'pass' });
  const { consumer, provider } = await wired.join();
  provider.socket.end('here');
  expect(await consumer.over).toBe('fin');
  expect(consumer.got.toString()).toBe('here');
  expect(refusals()).toHaveLength(1);
});

test('a denying tap can be closed', async () => {
  wired = await wiredEdge();
  await wired.tap.disturb({ rule: 'deny' });
  await wired.tap.close();
  expect(await wired.knock().over).toBe('ECONNREFUSED');
});
