import { afterEach, expect, test } from 'vitest';
import { eventually, manyTurns } from '../../../test/taps/eventually.ts';
import { type WiredEdge, wiredEdge } from '../../../test/taps/wired-edge.ts';
import { createRandom } from '../../kernel/random.ts';

let wired: WiredEdge;

afterEach(() => wired.close());

const felt = () => wired.events.filter((event) => event.type === 'disturbance.felt');

test('the provider gets everything, and all that it sends becomes junk of the same length', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  await wired.tap.disturb({ rule: 'garble' });
  consumer.socket.write('as it is');
  await eventually(() => provider.got.toString() === 'as it is');
  provider.socket.write('first line\r\n');
  provider.socket.end('second line\n');
  expect(await consumer.over).toBe('fin');
  expect(consumer.got).toHaveLength(24);
  expect(consumer.got.toString('latin1')).toMatch(/^[\xc0-\xff]{10}\r\n[\xc0-\xff]{11}\n$/);
  expect(felt()).toEqual([
    {
      type: 'disturbance.felt',
      from: 'app',
      to: 'store',
      disturbance: 'garble',
      crossing: 0,
      connection: 1,
      what: expect.stringMatching(/^\d+ bytes of the provider replaced by junk$/),
    },
  ]);
  expect(wired.tap.stats()).toMatchObject({ bytesSent: 8, bytesReceived: 24 });
});

test('the same seed gives the same junk, on new connections too', async () => {
  const got: string[] = [];
  for (const seed of ['one', 'one', 'two']) {
    wired = await wiredEdge({ random: createRandom(seed) });
    await wired.tap.disturb({ rule: 'garble' });
    const { consumer, provider } = await wired.join();
    provider.socket.end('answer');
    await consumer.over;
    got.push(consumer.got.toString('hex'));
    await wired.close();
  }
  expect(got[0]).toBe(got[1]);
  expect(got[0]).not.toBe(got[2]);
});

test('a silent provider has no effect, and neither has an empty line', async () => {
  wired = await wiredEdge();
  await wired.tap.disturb({ rule: 'garble' });
  const { consumer, provider } = await wired.join();
  consumer.socket.write('anybody?');
  await eventually(() => provider.gotBytes === 8);
  provider.socket.write('\r\n');
  await eventually(() => consumer.got.toString() === '\r\n');
  await manyTurns();
  expect(felt()).toEqual([]);
});

test('lifted, what comes is as it is', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  await wired.tap.disturb({ rule: 'garble' });
  provider.socket.write('junk');
  await eventually(() => consumer.gotBytes === 4);
  await wired.tap.disturb({ rule: 'pass' });
  provider.socket.end('true');
  expect(await consumer.over).toBe('fin');
  expect(consumer.got.subarray(4).toString()).toBe('true');
});

test('a large answer arrives whole in length, whatever the pace of its reader', async () => {
  wired = await wiredEdge();
  await wired.tap.disturb({ rule: 'garble' });
  const { consumer, provider } = await wired.join();
  provider.socket.end(Buffer.alloc(3 * 1024 * 1024, 'x'));
  expect(await consumer.over).toBe('fin');
  expect(consumer.gotBytes).toBe(3 * 1024 * 1024);
  expect(consumer.got.includes('x')).toBe(false);
});
