/** What the http driver makes of connections: which steps share one, and how one ends. */
import { expect, test } from 'vitest';
import { driverGround } from '../../../test/conformance/driver-ground.ts';
import { eventually } from '../../../test/taps/eventually.ts';
import type { Act } from '../driver.ts';
import { httpDriver } from './http-driver.ts';
import type { HttpStep } from './http-step.ts';

const step: HttpStep = { method: 'GET', target: 'peer', path: '/' };
const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

test('steps one after another share one; steps at once have one each', async () => {
  const ground = driverGround();
  const ports = new Set<number | undefined>();
  const held: (() => void)[] = [];
  let hold = false;
  const port = await ground.serve((request, response) => {
    ports.add(request.socket.remotePort);
    if (hold) held.push(() => response.end());
    else response.end();
  });
  const context = ground.context(port);
  for (let i = 0; i < 5; i += 1) await httpDriver.start(step, context).done;
  expect(ports.size).toBe(1);
  hold = true;
  const acts = [1, 2, 3].map((): Act => httpDriver.start(step, context));
  await eventually(() => held.length === 3, 'three at the same time');
  expect(ports.size).toBe(3);
  for (const release of held) release();
  await Promise.all(acts.map((act) => act.done));
});

test('a peer that does not announce keep-alive is trusted once it has kept a connection', async () => {
  const ground = driverGround();
  const ports = new Set<number | undefined>();
  const peer = await ground.peer({
    onConnect: (socket) =>
      socket.on('data', () => {
        ports.add(socket.remotePort);
        socket.write(answer);
      }),
  });
  const context = ground.context(peer.port);
  const act = async (): Promise<number> => {
    await httpDriver.start(step, context).done;
    return ports.size;
  };
  const [first, second] = [await act(), await act()];
  expect([first, second]).toEqual([1, 2]);
  let [before, opened] = [0, second];
  while (opened > before) [before, opened] = [opened, await act()];
  for (let i = 0; i < 3; i += 1) expect(await act()).toBe(opened);
  expect(peer.left().length).toBeLessThanOrEqual(2);
});

test('one that the peer closes silently does not break the next step', async () => {
  const ground = driverGround();
  const peer = await ground.peer({ onHear: (socket) => socket.end(answer) });
  const context = ground.context(peer.port);
  for (let i = 0; i < 20; i += 1) {
    const act = httpDriver.start(step, context);
    await act.done;
    expect(act.evidence()).toMatchObject({ status: 200, text: 'ok' });
  }
});

test('one on which time ran out is not used again', async () => {
  const ground = driverGround();
  const peer = await ground.peer();
  const context = ground.context(peer.port, { timeoutMs: 200 });
  await httpDriver.start(step, context).done;
  await eventually(() => peer.left().length === 0, 'it was closed');
  const again = httpDriver.start(step, context);
  await again.done;
  expect(again.evidence().error?.kind).toBe('timeout');
});

test.each(['text/plain', 'text/event-stream'])(
  'an answer of %s that ends with a reset is not whole',
  async (type) => {
    const ground = driverGround();
    let reset = (): void => {};
    const peer = await ground.peer({
      onHear: (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\nconnection: close\r\n\r\ndata: 1\n\n`);
        reset = () => socket.resetAndDestroy();
      },
    });
    const act = httpDriver.start(step, ground.context(peer.port));
    await eventually(() => act.evidence().bytes === 9);
    reset();
    await act.done;
    expect(act.evidence()).toMatchObject({
      status: 200,
      error: { kind: 'reset', message: expect.stringContaining('9 bytes of its body') },
    });
    expect(act.evidence()).not.toHaveProperty('endedBy');
  },
);
