import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { needs } from '../../../test/harness/needs.ts';
import { eventually } from '../../../test/taps/eventually.ts';
import { type WiredEdge, wiredEdge } from '../../../test/taps/wired-edge.ts';

let wired: WiredEdge;

afterEach(() => wired.close());

test('new connections get ECONNREFUSED from the kernel, and the same port works afterwards', async () => {
  wired = await wiredEdge();
  const { tap } = wired;
  const { port } = tap;
  for (let round = 0; round < 10; round += 1) {
    await tap.disturb({ rule: 'refuse' });
    expect(await wired.knock().over).toBe('ECONNREFUSED');
    await tap.disturb({ rule: 'pass' });
    expect(tap.port).toBe(port);
    const { consumer, provider } = await wired.join();
    provider.socket.end(`round ${round}`);
    expect(await consumer.over).toBe('fin');
    expect(consumer.got.toString()).toBe(`round ${round}`);
    consumer.socket.end();
  }
  expect(wired.events.filter(({ type }) => type === 'connection.opened')).toHaveLength(10);
  expect(wired.events.filter(({ type }) => type === 'edge.disturbed').slice(0, 2)).toEqual([
    { type: 'edge.disturbed', from: 'app', to: 'store', rule: 'refuse' },
    { type: 'edge.disturbed', from: 'app', to: 'store', rule: 'pass' },
  ]);
});

test('existing connections go on', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  await wired.tap.disturb({ rule: 'refuse' });
  consumer.socket.write('still');
  await eventually(() => provider.got.toString() === 'still');
  provider.socket.end('here');
  expect(await consumer.over).toBe('fin');
  expect(consumer.got.toString()).toBe('here');
});

test('existing connections are reset on request', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  await wired.tap.disturb({ rule: 'refuse', existing: 'reset' });
  expect(await consumer.over).toBe('ECONNRESET');
  expect(await provider.over).toBe('ECONNRESET');
  await eventually(() => wired.ends().length === 1);
  expect(wired.ends()).toEqual(['cut']);
});

test('a connection made while the port is being closed is refused', async () => {
  wired = await wiredEdge();
  const refusing = wired.tap.disturb({ rule: 'refuse' });
  const consumers = Array.from({ length: 20 }, () => wired.knock());
  await refusing;
  for (const { over } of consumers) expect(await over).toMatch(/ECONNREFUSED|ECONNRESET/);
  expect(wired.events.filter(({ type }) => type === 'connection.opened')).toEqual([]);
  const refused = wired.events.filter((event) => event.type === 'connection.refused');
  expect(new Set(refused.map(({ because }) => because))).toEqual(new Set(['rule']));
});

test('refusing twice is refusing, and concurrent requests are applied in order', async () => {
  wired = await wiredEdge();
  const { tap } = wired;
  await Promise.all([
    tap.disturb({ rule: 'refuse' }),
    tap.disturb({ rule: 'refuse' }),
    tap.disturb({ rule: 'pass' }),
    tap.disturb({ rule: 'refuse' }),
  ]);
  expect(await wired.knock().over).toBe('ECONNREFUSED');
});

test('a refusing tap can be closed', async () => {
  wired = await wiredEdge();
  await wired.tap.disturb({ rule: 'refuse' });
  await wired.tap.close();
  expect(await wired.knock().over).toBe('ECONNREFUSED');
});

test('the kernel gives the port to no other process meanwhile', async () => {
  needs('linux');
  wired = await wiredEdge();
  await wired.tap.disturb({ rule: 'refuse' });
  expect(statesOf(wired.tap.port)).toEqual(['01']);
  await wired.tap.disturb({ rule: 'pass' });
  expect(statesOf(wired.tap.port)).toEqual(['0A']);
});

/** What the kernel says of the sockets at a local port: 01 is connected, 0A listens. */
function statesOf(port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local]) => local?.endsWith(`:${hex}`))
    .map(([, , , state]) => state ?? '');
}
