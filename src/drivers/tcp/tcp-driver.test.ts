/** The tcp driver against real sockets: what it sends, what it receives, how it closes. */
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TestContext } from '../../../test/conformance/driver-context.ts';
import { type DriverGround, driverGround } from '../../../test/conformance/driver-ground.ts';
import type { PeerManners, PeerServer } from '../../../test/conformance/driver-peer.ts';
import { eventually } from '../../../test/taps/eventually.ts';
import type { Act, ActEvidence } from '../driver.ts';
import { tcpDriver } from './tcp-driver.ts';
import type { TcpOnStep } from './tcp-step.ts';

interface Opened {
  readonly ground: DriverGround;
  readonly peer: PeerServer;
  readonly context: TestContext;
  readonly open: Act;
  on(step: TcpOnStep, timeoutMs?: number): Act;
  /** To its end. */
  say(step: TcpOnStep, timeoutMs?: number): Promise<ActEvidence>;
}

async function opened(
  codec: string | undefined,
  manners: PeerManners = {},
  bodyBytes = 1_000,
): Promise<Opened> {
  const ground = driverGround();
  const peer = await ground.peer(manners);
  const context = ground.context(peer.port, { bodyBytes });
  const open = tcpDriver.start({ target: 'peer', ...(codec === undefined ? {} : { codec }) }, context);
  await open.done;
  const on = (step: TcpOnStep, timeoutMs = 20_000): Act => {
    const act = open.connection?.start(step, { ...context, timeoutMs });
    if (!act) throw new Error('there is no connection');
    return act;
  };
  return {
    ground,
    peer,
    context,
    open,
    on,
    say: async (step, timeoutMs) => {
      const act = on(step, timeoutMs);
      await act.done;
      return act.evidence();
    },
  };
}

const received = (act: Act): readonly unknown[] => act.evidence().received as unknown[];

describe('messages', () => {
  test('what the peer says first belongs to the step that opened, until the next one begins', async () => {
    const { open, on, peer } = await opened('newline-json', {
      onConnect: (socket) => socket.write('{"hand":"shake"}\n'),
    });
    await eventually(() => received(open).length === 1, 'the handshake came');
    const before = JSON.stringify(open.evidence());
    const second = on({ send: { a: 1 }, receive: 2 });
    peer.each((socket) => socket.write('[1]\n[2]\n'));
    await second.done;
    expect(received(second)).toEqual([[1], [2]]);
    peer.each((socket) => socket.write('[3]\n'));
    await eventually(() => received(second).length === 3, 'it receives after it is done');
    expect(JSON.stringify(open.evidence())).toBe(before);
    expect(open.evidence()).toMatchObject({ connected: true, received: [{ hand: 'shake' }], bytesSent: 0 });
    expect(second.evidence()).toMatchObject({ bytesSent: 8, bytesReceived: 12 });
    expect(peer.heard()).toBe('{"a":1}\n');
  });

  test('a codec of the user', async () => {
    const ground = driverGround();
    writeFileSync(
      path.join(ground.folder, 'dots.mjs'),
      `export default {
        encode: (message) => Buffer.from(message + '.'),
        createCutter: () => (queue) => {
          const end = queue.indexOf(46, 0);
          return end === -1 ? undefined : { message: Buffer.from(queue.take(end + 1)).toString() };
        },
      };`,
    );
    const peer = await ground.peer({ onHear: (socket) => socket.write('a.b.') });
    const context = ground.context(peer.port);
    const { connection } = tcpDriver.start({ target: 'peer', codec: './dots.mjs' }, context);
    const act = connection?.start({ send: 'hello', receive: 2 }, context) as Act;
    await act.done;
    expect(act.evidence()).toMatchObject({ received: ['a.', 'b.'] });
    expect(peer.heard()).toBe('hello.');
  });

  test('what breaks the codec is reported, what came before it is kept, and bytes are still counted', async () => {
    const { open, say, peer } = await opened('newline-json', {
      onConnect: (socket) => socket.write('[1]\n[2\n[3]\n'),
    });
    await eventually(() => open.evidence().broken !== undefined, 'it is broken');
    expect(open.evidence()).toMatchObject({ received: [[1]], broken: expect.stringMatching(/not-json/) });
    peer.each((socket) => socket.write('[4]\n'));
    await eventually(() => open.evidence().bytesReceived === 15, 'the bytes are counted');
    expect(received(open)).toEqual([[1]]);
    expect(await say({ receive: 1 })).toMatchObject({ error: { kind: 'garbage' } });
    expect(await say({ send: { still: 'talks' } })).not.toHaveProperty('error');
  });

  test('the beginning of a message is reported, until its end comes or another step begins', async () => {
    const { open, on, peer } = await opened('newline-json', {
      onConnect: (socket) => socket.write('[1]\n[2'),
    });
    await eventually(() => open.evidence().bytesReceived === 6, 'it came');
    expect(open.evidence()).toMatchObject({ received: [[1]], pendingBytes: 2 });
    const next = on({ receive: 1 });
    expect(open.evidence()).not.toHaveProperty('pendingBytes');
    peer.each((socket) => socket.write(']\n'));
    await next.done;
    expect(next.evidence()).not.toHaveProperty('pendingBytes');
    expect(received(next)).toEqual([[2]]);
  });

  test('an end inside a frame is reported', async () => {
    const { open } = await opened('newline-json', { onConnect: (socket) => socket.end('[1') });
    await eventually(() => open.evidence().closedBy === 'peer', 'the peer closed');
    expect(open.evidence()).toMatchObject({ broken: expect.stringMatching(/unfinished/) });
  });

  test('beyond the limit messages are not kept, and that is reported', async () => {
    const { open } = await opened('newline-json', {
      onConnect: (socket) => socket.end('1\n'.repeat(10_050)),
    });
    await eventually(() => open.evidence().closedBy === 'peer', 'all came');
    expect(received(open)).toHaveLength(10_000);
    expect(open.evidence()).toMatchObject({
      bytesReceived: 20_100,
      broken: expect.stringMatching(/10000 messages/),
      truncated: true,
    });
  });

  test('so are messages of too many bytes, and the next step starts fresh', async () => {
    const { open, on, peer } = await opened('newline-json');
    peer.each((socket) => socket.write(`"${'x'.repeat(1_000_000)}"\n`.repeat(10)));
    await eventually(() => (open.evidence().bytesReceived as number) > 10_000_000, 'all came');
    expect(received(open).length).toBeLessThanOrEqual(8);
    expect(open.evidence()).toMatchObject({
      broken: expect.stringMatching(/8388608 bytes/),
      truncated: true,
    });
    const next = on({ receive: 1 });
    peer.each((socket) => socket.write('"small"\n'));
    await next.done;
    expect(next.evidence()).toMatchObject({ received: ['small'] });
    expect(next.evidence()).not.toHaveProperty('broken');
    expect(next.evidence()).not.toHaveProperty('truncated');
  });
});

describe('bytes', () => {
  test('without a codec they are text, within a limit', async () => {
    const { open } = await opened(undefined, {
      onConnect: (socket) =>
        socket.end(Buffer.concat([Buffer.from('hé'), Uint8Array.of(0xff), Buffer.alloc(5_000, 'x')])),
    });
    await eventually(() => open.evidence().closedBy === 'peer', 'all came');
    expect(open.evidence()).toMatchObject({ bytesReceived: 5_004, truncated: true });
    expect(open.evidence().raw).toMatch(/^hé‹no-utf8›x+$/);
    expect((open.evidence().raw as string).length).toBeLessThan(1_010);
  });

  test('bytes that are not UTF-8 are marked, also where a character may have begun', async () => {
    const { say } = await opened(undefined, {
      onHear: (socket) => socket.write(Buffer.from('refus\u00e9', 'latin1')),
    });
    expect(await say({ send: 'a', receive: 6 })).toMatchObject({ raw: 'refus‹no-utf8›', bytesReceived: 6 });
  });

  test('without a codec it is not known which messages came, once bytes came', async () => {
    const { open, say, peer } = await opened(undefined);
    expect(open.evidence()).toMatchObject({ received: [], raw: '' });
    expect(await say({ send: 'hello' })).toMatchObject({ received: [] });
    peer.each((socket) => socket.write('secret banner'));
    const unknown = { $dropped: { because: expect.stringContaining('name a `codec`') } };
    expect(await say({ receive: 13 })).toMatchObject({ received: unknown, raw: 'secret banner' });
    // The evidence of a whole connection is put together from that of its steps.
    expect(await say({ send: 'bye' })).toMatchObject({ received: unknown, raw: '' });
  });

  test('without a codec `receive` counts bytes, and `send` says text', async () => {
    const { say, peer } = await opened(undefined, { onHear: (socket) => socket.write('PONG\r\n') });
    expect(await say({ send: 'PING\r\n', receive: 6 })).toMatchObject({ raw: 'PONG\r\n', bytesSent: 6 });
    expect(peer.heard()).toBe('PING\r\n');
  });

  test('pieces with pauses arrive apart', async () => {
    const chunks: string[] = [];
    const { say, peer } = await opened('newline-json', {
      onConnect: (socket) => socket.on('data', (chunk) => chunks.push(chunk.toString())),
    });
    await say({
      sendRaw: [
        { text: '{"a"', pauseMs: 60 },
        { text: ':1}', pauseMs: 60, then: { hex: '0a' } },
      ],
    });
    await eventually(() => peer.heardBytes() === 8, 'all arrived');
    expect(chunks).toEqual(['{"a"', ':1}', '\n']);
  });

  test('a megabyte to a peer that reads', async () => {
    const { on, peer } = await opened(undefined);
    const act = on({ sendRaw: { text: 'FFFFFF', then: { repeat: 'A', bytes: 1_000_000 } } });
    await act.done;
    expect(act.sentBytes()).toBe(1_000_006);
    await eventually(() => peer.heardBytes() === 1_000_006, 'all arrived');
  });

  test('a peer that does not read is a time-out, and what it took is reported', async () => {
    const { on } = await opened(undefined, { onConnect: (socket) => socket.pause() });
    const act = on({ sendRaw: { repeat: 'A', bytes: 500_000_000 } }, 300);
    await act.done;
    expect(act.evidence().error).toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/took only \d+ bytes/),
    });
    expect(act.sentBytes()).toBeLessThan(500_000_000);
  });

  test('a peer that breaks off while we send is an outcome, not an error', async () => {
    const { say } = await opened(undefined, { onHear: (socket) => socket.resetAndDestroy() });
    const evidence = await say({ sendRaw: { repeat: 'A', bytes: 50_000_000 } });
    expect(evidence).toMatchObject({ closedBy: 'reset' });
    expect(evidence).not.toHaveProperty('error');
  });
});

describe('ends', () => {
  /** How the connection to the peer was closed. */
  const goodbyes = (socket: Socket, heard: string[]): void => {
    socket.on('end', () => heard.push('end'));
    socket.on('error', (error: NodeJS.ErrnoException) => heard.push(error.code ?? error.message));
  };

  test('half: the peer gets an end, and may still answer', async () => {
    const { on } = await opened('newline-json', {
      onConnect: (socket) => {
        socket.removeAllListeners('end');
        socket.on('end', () => socket.end('"after the end"\n'));
      },
    });
    const act = on({ sendRaw: { text: '0000' }, end: 'half', receive: 1 });
    await act.done;
    expect(received(act)).toEqual(['after the end']);
    await eventually(() => act.evidence().closedBy === 'peer', 'then the peer closed');
  });

  test('half, then more: that is over', async () => {
    const { say, on } = await opened('newline-json', {
      onConnect: (socket) => socket.removeAllListeners('end'),
    });
    expect(await say({ end: 'half' })).not.toHaveProperty('error');
    const act = on({ send: 1 });
    await act.done;
    expect(act.evidence().error).toMatchObject({ kind: 'closed' });
    expect(act.sentBytes()).toBe(0);
  });

  test.each([
    ['full', 'end'],
    ['reset', 'ECONNRESET'],
  ] as const)('%s: the peer gets %s', async (end, goodbye) => {
    const heard: string[] = [];
    const { say, peer } = await opened('newline-json', { onConnect: (socket) => goodbyes(socket, heard) });
    expect(await say({ send: 1, end })).toMatchObject({ closedBy: 'us', bytesSent: 2 });
    await eventually(() => heard.length > 0 && peer.left().length === 0, 'the peer received it');
    expect(heard[0]).toBe(goodbye);
    expect((await say({ receive: 1 })).error?.kind).toBe('closed');
  });

  test('full with something to receive waits for it', async () => {
    const { say } = await opened('newline-json', { onHear: (socket) => socket.write('"bye"\n') });
    expect(await say({ send: 1, receive: 1, end: 'full' })).toMatchObject({
      received: ['bye'],
      closedBy: 'us',
    });
  });

  test('the peer closed first: later steps report it', async () => {
    const { open, say } = await opened('newline-json', { onConnect: (socket) => socket.end() });
    await eventually(() => open.evidence().closedBy === 'peer', 'the peer closed');
    expect(open.evidence()).not.toHaveProperty('error');
    expect(await say({ send: 1 })).toMatchObject({
      closedBy: 'peer',
      bytesSent: 0,
      error: { kind: 'closed' },
    });
    expect(await say({})).not.toHaveProperty('error');
  });

  test('closing does not wait, even with megabytes unsent', async () => {
    const { open, on, peer } = await opened(undefined, { onConnect: (socket) => socket.pause() });
    const act = on({ sendRaw: { repeat: 'A', bytes: 100_000_000 } });
    await open.connection?.close();
    await act.done;
    expect(act.evidence()).toMatchObject({ closedBy: 'us' });
    peer.each((socket) => socket.resume());
    await eventually(() => peer.left().length === 0, 'nothing is left');
  });
});
