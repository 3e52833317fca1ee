/** When and how a scripted model sends: pieces, pace, waits, hangs, shapes; and consumers that disconnect. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { waitFor } from '../../src/kernel/deadline.ts';
import { createSseParser } from '../../src/protocols/sse/sse-parser.ts';
import { asking, type OpenModel, openModel } from './open-model.ts';

const { path, body } = asking['openai-chat'](true);

function contents(text: string): string[] {
  return createSseParser()
    .push(text)
    .filter(({ data }) => data !== '[DONE]')
    .flatMap(({ data }) => {
      const { choices } = JSON.parse(data) as { choices: { delta?: { content?: string } }[] };
      return choices[0]?.delta?.content || [];
    });
}

describe('pieces and pace', () => {
  test('text is sent in pieces of the requested size', async () => {
    const model = await openModel();
    await model.begin({ agent: [{ says: 'abcdefgh', pieceChars: 3 }] });
    expect(contents((await model.ask(path, body)).text)).toEqual(['abc', 'def', 'gh']);
  });

  test('waits before the first byte and between events', async () => {
    const slept: number[] = [];
    const sleep = async (ms: number): Promise<void> => void slept.push(ms);
    const after = (ms: number, callback: () => void): (() => void) => {
      slept.push(ms);
      return systemClock.after(0, callback);
    };
    const model = await openModel({}, { clock: { ...systemClock, sleep, after } });
    await model.begin({ agent: [{ says: 'abcd', pieceChars: 1, afterMs: 60_000, paceMs: 15_000 }] });
    const { text } = await model.ask(path, body);
    expect(contents(text)).toEqual(['a', 'b', 'c', 'd']);
    const events = text.match(/^data: /gm)?.length ?? 0;
    expect(slept.filter((ms) => ms === 60_000)).toHaveLength(1);
    expect(slept.filter((ms) => ms === 15_000)).toHaveLength(events - 1);
  });

  test('each event is one chunk of its own', async () => {
    const model = await openModel();
    await model.begin({ agent: [{ says: 'abc', pieceChars: 1 }] });
    const { received, socket } = await openRaw(model);
    await until(() => received().endsWith('0\r\n\r\n'));
    const chunks = received()
      .split('\r\n\r\n')
      .slice(1)
      .join('\r\n\r\n')
      .match(/^[0-9a-f]+\r\ndata: .*\n\n\r$/gm);
    const events = received().match(/^data: /gm);
    expect(chunks?.length).toBe(events?.length);
    socket.destroy();
  });
});

describe('waiting for ever', () => {
  test('after the head nothing is sent, until the consumer disconnects', async () => {
    const model = await openModel();
    await model.begin({ agent: [{ hangs: true }, { says: 'next' }] });
    const { received, socket } = await openRaw(model);
    await until(() => received().includes('\r\n\r\n'));
    expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream/);
    expect((await model.ask(path, body)).text).toContain('next');
    expect(received().split('\r\n\r\n')[1]).toBe('');
    socket.destroy();
    expect(model.calls()).toMatchObject([
      { status: 200, line: 1, usage: null, costUsd: null },
      { status: 200, line: 2 },
    ]);
  });

  test('stopping ends what hangs and what is slow', async () => {
    const model = await openModel();
    await model.begin({ agent: [{ hangs: true }, { says: 'x', afterMs: 600_000 }] });
    const [hanging, slow] = [await openRaw(model), await openRaw(model)];
    await until(() => hanging.received() !== '');
    const closed = Promise.all([once(hanging.socket, 'close'), once(slow.socket, 'close')]);
    await model.resource.stop();
    await closed;
    expect(slow.received()).toBe('');
  });
});

describe('a consumer that disconnects', () => {
  test('ends a slow stream', async () => {
    const model = await openModel();
    await model.begin({ agent: [{ says: 'a'.repeat(1_000), pieceChars: 1, paceMs: 600_000 }] });
    const { received, socket } = await openRaw(model);
    await until(() => received().includes('data: '));
    socket.resetAndDestroy();
    await until(() => model.calls().length === 1);
    expect(model.calls()).toMatchObject([{ status: 200, line: 1 }]);
  });

  test('that does not read slows the stream down, and nothing is lost', async () => {
    const model = await openModel();
    const says = 'word '.repeat(4_000_000);
    await model.begin({ agent: [{ says, pieceChars: 1_000 }], gateway: [{ says: 'beside' }] });
    const { received, socket } = await openRaw(model, true);
    await until(() => socket.bytesRead > 0);
    expect((await model.ask(path, body, { caller: 'gateway' })).text).toContain('beside');
    expect(model.calls().map(({ caller }) => caller)).toEqual(['gateway']);
    socket.resume();
    await until(() => received().endsWith('0\r\n\r\n'));
    expect(model.calls().map(({ caller }) => caller)).toEqual(['gateway', 'agent']);
    expect(received().match(/"content":"word /g)?.length).toBe(20_000);
  }, 15_000);
});

describe('shapes', () => {
  test('a line is sent in the shape that it asks for', async () => {
    const model = await openModel();
    await model.begin({ agent: [{ says: 'abc', shape: 'S05' }] });
    const { text, headers } = await model.ask(path, body);
    expect(headers.get('content-type')).toContain('text/event-stream');
    expect(text).toContain('\r\n\r\n');
    expect(contents(text).join('')).toBe('abc');
    expect(model.calls()).toMatchObject([{ status: 200, line: 1 }]);
  });

  test('one that does not fit is replaced by a plain answer, and reported', async () => {
    const model = await openModel();
    const calls = [{ name: 'read_file', arguments: { path: 'a' } }];
    await model.begin({ agent: [{ calls, shape: 'C06' }] });
    const { path: messages, body: message } = asking.anthropic(true);
    expect((await model.ask(messages, message)).status).toBe(200);
    expect(model.calls()[0]?.fault).toEqual({
      kind: 'unfit-shape',
      what: 'the shape C06 of its line does not fit this request and its answer, which was sent plainly',
    });
  });
});

async function openRaw(
  model: OpenModel,
  paused = false,
): Promise<{ readonly socket: Socket; received(): string }> {
  const socket = connect(Number(new URL(model.url()).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const chunks: string[] = [];
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => chunks.push(chunk));
  if (paused) socket.pause();
  const json = JSON.stringify(body);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
  );
  return { socket, received: () => chunks.join('') };
}

async function until(holds: () => boolean): Promise<void> {
  const held = await waitFor(systemClock, { withinMs: 5_000 }, () => holds() || undefined);
  expect(held).toBe(true);
}
