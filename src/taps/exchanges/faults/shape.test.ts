import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type DisturbedEdge,
  disturbedEdge,
  event,
  eventStream,
} from '../../../../test/taps/disturbed-edge.ts';
import { eventually, manyTurns } from '../../../../test/taps/eventually.ts';
import { chunk, eventsHead, http, jsonAnswer, lastChunk, post } from '../../../../test/taps/watched-edge.ts';
import type { CallEvent } from '../../../journal/call-event.ts';
import { createRandom } from '../../../kernel/random.ts';
import { dialects } from '../../../protocols/dialects/dialect-table.ts';
import { answerOfEvents } from '../../../protocols/shapes/wire-answer.ts';
import type { DialectName, Turn } from '../../../protocols/turn/turn.ts';

let edge: DisturbedEdge;
afterEach(() => edge.close());

const turn: Turn = {
  parts: [
    { kind: 'text', text: 'Voilà, ich schaue nach.' },
    { kind: 'call', id: 'call_1', name: 'read_file', arguments: { path: '/notes/today.md' } },
  ],
  stop: 'tool-calls',
  usage: { input: 21, output: 7 },
};
const about = { id: 'answer-1', model: 'm-1', createdAt: 1, wantsUsage: true, pieceChars: 5 };
const paths = { 'openai-chat': '/v1/chat/completions', anthropic: '/v1/messages' } as const;

function streamOf(name: DialectName): string {
  const texts = answerOfEvents(dialects[name].printEvents(turn, about)).pieces.map(({ bytes }) =>
    Buffer.from(bytes).toString(),
  );
  return eventStream(texts);
}

async function shaped(
  shape: string,
  answer: string | Uint8Array,
  path: string = paths['openai-chat'],
): Promise<CallEvent> {
  edge = await disturbedEdge({ do: 'shape', shape }, { random: createRandom('shapes') });
  const body = {
    model: 'm-1',
    stream: true,
    stream_options: { include_usage: true },
    messages: [],
    max_tokens: 9,
  };
  await edge.answering(post(path, body), answer);
  const [call] = await edge.untilCalls(1);
  return call as CallEvent;
}

describe('legal shapes are the same turn', () => {
  test.each([
    ['S05', 'openai-chat'],
    ['S04', 'openai-chat'],
    ['C21', 'openai-chat'],
    ['A02', 'anthropic'],
  ] as const)('%s of %s', async (shape, dialect) => {
    const before = await shaped('no-such-shape', streamOf(dialect), paths[dialect]);
    await edge.close();
    const after = await shaped(shape, streamOf(dialect), paths[dialect]);
    expect(await edge.untilFelt(1)).toEqual([`sent in the shape ${shape}`]);
    const { faults: _, oddities: __, ...same } = before.turn ?? { faults: [], oddities: [] };
    expect(same).toMatchObject({ complete: true, text: 'Voilà, ich schaue nach.' });
    expect(after.turn).toMatchObject({ ...same, faults: [] });
    expect(after).not.toHaveProperty('faults');
  });
});

test('S18: one body for a stream, and the same turn', async () => {
  const call = await shaped('S18', streamOf('openai-chat'));
  expect(await edge.untilFelt(1)).toEqual(['sent in the shape S18']);
  expect(call.response?.headers['content-type']).toMatch('application/json');
  expect(call.turn).toMatchObject({ complete: true, streamed: false, calls: [{ name: 'read_file' }] });
});

test('a shape that breaks off in the middle is a turn that is not complete', async () => {
  const call = await shaped('C26', streamOf('openai-chat'));
  expect(await edge.untilFelt(1)).toEqual(['sent in the shape C26']);
  expect(call.turn).toMatchObject({ complete: false });
  expect(call.turn?.calls[0]).not.toHaveProperty('arguments');
});

test('a compressed answer is read', async () => {
  const body = gzipSync(JSON.stringify(dialects['openai-chat'].printBody(turn, about)));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const call = await shaped('S05', http('HTTP/1.1 200 OK', headers, body));
  expect(await edge.untilFelt(1)).toEqual(['sent in the shape S05']);
  expect(call.response?.headers).not.toHaveProperty('content-encoding');
  expect(call.turn).toMatchObject({ complete: true, streamed: true });
});

describe('what passes untouched, and is not felt', () => {
  test.each<[string, string, string | Uint8Array, string?]>([
    ['a turn that is not whole', 'S05', eventStream([event({ choices: [{ delta: { content: 'a' } }] })])],
    ['a refusal', 'S05', jsonAnswer({ error: { message: 'no', type: 'x' } }, 429)],
    ['what is not an answer of a model', 'S05', jsonAnswer({ hello: 1 })],
    ['a page', 'S05', http('HTTP/1.1 200 OK', { 'content-type': 'text/html' }, '<html>')],
    ['an unknown path', 'S05', streamOf('openai-chat'), '/elsewhere'],
    ['a shape of another dialect', 'A01', streamOf('openai-chat')],
    ['an unknown shape', 'X99', streamOf('openai-chat')],
    ['what is too large', 'S05', eventStream(Array(2_000).fill(event('x'.repeat(5_000))))],
  ])('%s', async (_, shape, answer, path) => {
    await shaped(shape, answer, path);
    const wanted = Buffer.from(answer);
    await eventually(() => edge.tap.stats().bytesReceived === wanted.length);
    await manyTurns();
    expect(edge.felt()).toEqual([]);
  });

  test('an answer that breaks off arrives as far as it came', async () => {
    edge = await disturbedEdge({ do: 'shape', shape: 'S05' });
    const half = streamOf('openai-chat').slice(0, 400);
    const { until, provider, consumer } = await edge.answering(post(paths['openai-chat'], {}), half);
    await eventually(() => provider.gotBytes > 0);
    provider.socket.end();
    await until(half);
    expect(await consumer.over).toBe('fin');
    expect(await edge.untilCalls(1)).toMatchObject([{ incomplete: 'cut', turn: { complete: false } }]);
  });
});

describe('of tool servers', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: {} } };
  const result = { content: [{ type: 'text', text: '3' }] };
  const ask = http(
    'POST /mcp HTTP/1.1',
    { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    JSON.stringify(call),
  );

  test.each([
    ['one body', jsonAnswer({ jsonrpc: '2.0', id: 1, result })],
    ['a stream', eventStream([event({ jsonrpc: '2.0', id: 1, result })])],
  ])('the result of %s is sent in another shape', async (_, answer) => {
    edge = await disturbedEdge({ do: 'shape', shape: 'M02' });
    const { until } = await edge.answering(ask, answer);
    expect(await edge.untilFelt(1)).toEqual(['sent in the shape M02']);
    const [edited] = await edge.untilCalls(1);
    expect(edited).toMatchObject({ method: 'tools/call', response: { status: 202 }, result });
    expect(edited).not.toHaveProperty('faults');
    await expect(until(eventsHead)).rejects.toThrow('202');
  });

  const question = event({
    jsonrpc: '2.0',
    id: 1,
    method: 'elicitation/create',
    params: { message: 'which?' },
  });
  const note = event({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: 'x' },
  });

  test.each([
    ['M06', 'disturbance.felt', /^event: message\ndata: [^\n]*"id":1,"result"/],
    ['M07', 'disturbance.felt', /^event: message\ndata: [^\n]*"id":1,"result"/],
    ['M12', 'disturbance.felt', /^id: .*\n[\s\S]*"id":1,"result"/],
    ['M21', 'disturbance.felt', /^event: message\ndata: [^\n]*"method":"ping"[\s\S]*"id":1,"result"/],
    ['M02', 'disturbance.unfit', /^data: [^\n]*"id":1,"result"/],
  ])(
    'requests and notifications of the server before its answer pass at once: %s',
    async (shape, edited, expected) => {
      edge = await disturbedEdge({ do: 'shape', shape });
      const { consumer, provider, got } = await edge.answering(ask, eventsHead);
      await eventually(() => provider.gotBytes > 0);
      provider.socket.write(`${chunk(': primed\n\n')}${chunk(note)}${chunk(question)}`);
      await eventually(() => got().includes(question), 'the consumer is asked');
      const begun = consumer.gotBytes;
      expect(got()).not.toContain('result');
      provider.socket.write(`${chunk(event({ jsonrpc: '2.0', id: 1, result }))}${lastChunk}`);
      await eventually(() => got().endsWith(lastChunk), 'the answer ends');
      const rest = got()
        .slice(begun)
        .replace(/^[0-9a-f]+\r\n/, '');
      expect(rest).toMatch(expected);
      expect(await edge.untilCalls(1)).toMatchObject([{ method: 'tools/call', result }]);
      await eventually(() => edge.events.some(({ type }) => type === edited), edited);
    },
  );

  test.each([{}, { rpc: 'tools/call' }])(
    'what a shape asks is not answered to the server: %j',
    async (where) => {
      edge = await disturbedEdge([{ name: 'disturb[0]', where, fault: { do: 'shape', shape: 'M21' } }]);
      const answer = jsonAnswer({ jsonrpc: '2.0', id: 1, result });
      const { consumer, provider, got } = await edge.answering(ask, answer);
      expect(await edge.untilFelt(1)).toEqual(['sent in the shape M21']);
      const [, id = ''] = /"id":"([^"]+)","method":"ping"/.exec(got()) ?? [];
      const asked = provider.gotBytes;
      consumer.socket.write(post('/mcp', { jsonrpc: '2.0', id, result: {} }));
      await eventually(() => got().includes('HTTP/1.1 202'), 'it is taken note of');
      expect(provider.gotBytes).toBe(asked);
      const other = post('/mcp', { jsonrpc: '2.0', id: 'x', result: {} });
      consumer.socket.write(other);
      await eventually(() => provider.gotBytes === asked + other.length, 'another answer passes');
    },
  );

  test('an error of the server passes', async () => {
    edge = await disturbedEdge({ do: 'shape', shape: 'M02' });
    const answer = jsonAnswer({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } });
    const { until } = await edge.answering(ask, answer);
    await until(answer.toString());
    expect(edge.felt()).toEqual([]);
  });
});
