import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../../test/taps/eventually.ts';
import { type WiredEdge, wiredEdge } from '../../../test/taps/wired-edge.ts';

let wired: WiredEdge;

afterEach(() => wired.close());

const felt = () => wired.events.filter((event) => event.type === 'disturbance.felt');
const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

test('JSON in replies has other values and the right length; everything else passes', async () => {
  wired = await wiredEdge();
  const { consumer, provider } = await wired.join();
  await wired.tap.disturb({ rule: 'wrong' });
  consumer.socket.write(`*2\r\n${bulk('SET')}${bulk('{"n":1}')}`);
  await eventually(() => provider.got.toString().endsWith('{"n":1}\r\n'));
  const name = bulk('notifications');
  provider.socket.write(`*2\r\n${name}${bulk('{"ticket_id": "t-1", "text": "Grüße", "count": 9}')}`);
  const wanted = bulk('{"ticket_id":"t-1","text":"something else entirely","count":10}');
  await eventually(() => consumer.got.toString() === `*2\r\n${name}${wanted}`);
  provider.socket.end(`+OK\r\n${bulk('plain')}$-1\r\n$20\r\n{"cut":1`);
  expect(await consumer.over).toBe('fin');
  expect(consumer.got.toString().endsWith(`+OK\r\n${bulk('plain')}$-1\r\n$20\r\n{"cut":1`)).toBe(true);
  expect(felt()).toMatchObject([{ disturbance: 'wrong', what: 'other values in what was read' }]);
});
