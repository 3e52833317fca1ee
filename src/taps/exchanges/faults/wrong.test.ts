import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type DisturbedEdge,
  disturbedEdge,
  event,
  eventStream,
} from '../../../../test/taps/disturbed-edge.ts';
import { eventually } from '../../../../test/taps/eventually.ts';
import { chunk, eventsHead, http, jsonAnswer, lastChunk, post } from '../../../../test/taps/watched-edge.ts';
import type { CallEvent } from '../../../journal/call-event.ts';
import { dialects } from '../../../protocols/dialects/dialect-table.ts';
import { answerOfEvents } from '../../../protocols/shapes/wire-answer.ts';
import { type DialectName, dialectNames, type Turn } from '../../../protocols/turn/turn.ts';

let edge: DisturbedEdge;
afterEach(() => edge.close());

const ask = post('/orders', { item: 'tea' });
const other = 'something else entirely';

async function wrong(answer: string | Uint8Array, request = ask): Promise<{ got: string; call: CallEvent }> {
  edge = await disturbedEdge({ do: 'wrong' });
  const talk = await edge.answering(request, answer);
  const [call] = await edge.untilCalls(1);
  await eventually(() => talk.consumer.gotBytes === edge.tap.stats().bytesReceived);
  return { got: talk.got(), call: call as CallEvent };
}

test('the answer of the provider passes with other values, and a length that is right', async () => {
  const { got, call } = await wrong(jsonAnswer({ id: 'o-1', item: 'tea', count: 2 }, 201));
  const body = JSON.stringify({ id: 'o-1', item: other, count: 3 });
  expect(got).toMatch(/^HTTP\/1\.1 201 Said\r\ncontent-type: application\/json\r\n/);
  expect(got.endsWith(`\r\ncontent-length: ${body.length}\r\n\r\n${body}`), got).toBe(true);
  expect(call.response).toMatchObject({ status: 201, json: { id: 'o-1', item: other, count: 3 } });
  expect(await edge.untilFelt(1)).toEqual(['answered with other values']);
});

test('a body in chunks, and a connection that is used again', async () => {
  edge = await disturbedEdge({ do: 'wrong' });
  const { ask: say, answer, consumer } = await edge.talk();
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
  for (const count of [1, 2]) {
    await say(ask);
    const [first, second] = ['{"item":', '"tea"}'];
    void answer(`${head}${chunk(first)}${chunk(second)}${lastChunk}`).catch(() => undefined); // it is another one
    await edge.untilFelt(count);
  }
  expect(edge.calls().map(({ response }) => response?.json)).toEqual([{ item: other }, { item: other }]);
  expect(consumer.got.toString()).not.toContain('chunked');
});

test('a compressed answer arrives uncompressed', async () => {
  const body = gzipSync(JSON.stringify({ item: 'tea' }));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', 'set-cookie': 'a=1' };
  const { got, call } = await wrong(http('HTTP/1.1 200 OK', headers, body));
  expect(call.response?.json).toEqual({ item: other });
  expect(got).not.toContain('content-encoding');
  expect(got).toContain('set-cookie: a=1');
});

test('a compressed stream, too', async () => {
  const body = gzipSync(`${event({ n: 1 })}${event('[DONE]')}`);
  const headers = { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' };
  const { got } = await wrong(http('HTTP/1.1 200 OK', headers, body));
  expect(got.endsWith(`\r\n\r\n${event({ n: 2 })}${event('[DONE]')}`), got).toBe(true);
});

test('events are changed one by one, while the stream is open', async () => {
  edge = await disturbedEdge({ do: 'wrong' });
  const { consumer, provider } = await edge.join();
  consumer.socket.write(http('GET /listen HTTP/1.1'));
  await eventually(() => provider.gotBytes > 0);
  provider.socket.write(`${eventsHead}${chunk(`id: 4\nevent: a\n${event({ n: 1 })}`)}`);
  expect(await edge.untilFelt(1)).toEqual(['answered with other values']);
  await eventually(() => consumer.got.toString().endsWith('event: a\nid: 4\ndata: {"n":2}\n\n\r\n'));
});

test('of the tool protocol, the result alone', async () => {
  const result = { content: [{ type: 'text', text: 'Noted' }], isError: false };
  const answer = { jsonrpc: '2.0', id: 5, result };
  const asked = post('/mcp', { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'log' } });
  const { call } = await wrong(eventStream([event(answer)]), asked);
  expect(call).toMatchObject({ method: 'tools/call', result: { content: [{ type: 'text', text: other }] } });
});

const turn: Turn = {
  parts: [
    { kind: 'text', text: 'Voilà, ich schaue nach.' },
    { kind: 'call', id: 'call_1', name: 'read_file', arguments: { path: '/notes/today.md', lines: 7 } },
  ],
  stop: 'tool-calls',
  usage: { input: 21, output: 7 },
};
const about = { id: 'answer-1', model: 'm-1', createdAt: 1, wantsUsage: true, pieceChars: 5 };
const paths: Readonly<Record<DialectName, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/m-1:streamGenerateContent?alt=sse',
};

describe.each(dialectNames)('a model that speaks %s', (name) => {
  const wanted = {
    complete: true,
    faults: [],
    text: other,
    calls: [{ name: 'read_file', arguments: { path: other, lines: 8 } }],
  };
  const asked = (stream: boolean) => ({ model: 'm-1', stream, messages: [], input: 'a', contents: [] });

  test('its stream is another turn, and a whole one', async () => {
    const texts = answerOfEvents(dialects[name].printEvents(turn, about)).pieces;
    const stream = eventStream(texts.map(({ bytes }) => Buffer.from(bytes).toString()));
    const { call } = await wrong(stream, post(paths[name], asked(true)));
    expect(call.turn).toMatchObject({ ...wanted, streamed: true });
    expect(await edge.untilFelt(1)).toEqual(['answered with other values']);
  });

  test('its body, too', async () => {
    const path = paths[name].replace(/:stream.*/, ':generateContent');
    const { call } = await wrong(jsonAnswer(dialects[name].printBody(turn, about)), post(path, asked(false)));
    expect(call.turn).toMatchObject({ ...wanted, streamed: false });
  });
});

test('a turn that is not whole passes as it is', async () => {
  const stream = eventStream([event({ choices: [{ index: 0, delta: { content: 'a' } }] })]);
  const { got } = await wrong(
    stream,
    post(paths['openai-chat'], { model: 'm-1', stream: true, messages: [] }),
  );
  expect(got).toBe(stream);
});

describe('what passes unchanged, and is not felt', () => {
  test.each<[string, string | Uint8Array]>([
    ['a page', http('HTTP/1.1 200 OK', { 'content-type': 'text/html' }, '<html>')],
    ['no content', http('HTTP/1.1 204 No Content')],
    ['what only looks like JSON', http('HTTP/1.1 200 OK', { 'content-type': 'application/json' }, '{"a":')],
    ['an id alone', jsonAnswer({ id: 7 })],
    ['a refusal', jsonAnswer({ error: { type: 'no_key', message: 'no' } }, 401)],
    ['a stream without JSON', eventStream([event('hello'), event('[DONE]')])],
  ])('%s', async (_, answer) => {
    const { got } = await wrong(answer);
    expect(got).toBe(Buffer.from(answer).toString('latin1'));
    expect(edge.felt()).toEqual([]);
    await eventually(() => edge.events.some(({ type }) => type === 'disturbance.unfit'));
  });
});
