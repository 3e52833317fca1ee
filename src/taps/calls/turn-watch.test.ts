import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { event, eventStream } from '../../../test/taps/disturbed-edge.ts';
import {
  chunk,
  eventsHead,
  http,
  jsonAnswer,
  lastChunk,
  post,
  type WatchedEdge,
  watchedEdge,
} from '../../../test/taps/watched-edge.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import { dialects } from '../../protocols/dialects/dialect-table.ts';
import { completionDialect } from '../../protocols/openai-chat/completion-dialect.ts';
import { answerOfEvents } from '../../protocols/shapes/wire-answer.ts';
import type { DialectName, Turn } from '../../protocols/turn/turn.ts';

let edge: WatchedEdge;
afterEach(() => edge.close());

const paths: Readonly<Record<DialectName, string>> = {
  'openai-chat': '/v1/chat/completions?api-version=1',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/g-1:streamGenerateContent?alt=sse',
};
const turn: Turn = {
  parts: [
    { kind: 'text', text: 'Voilà, 世界.' },
    { kind: 'call', id: 'call_1', name: 'read_file', arguments: { path: '/n' } },
  ],
  stop: 'tool-calls',
  usage: { input: 21, output: 7 },
};
const about = { id: 'answer-1', model: 'm-1', createdAt: 1, wantsUsage: true, pieceChars: 3 };
const folded = {
  complete: true,
  text: 'Voilà, 世界.',
  calls: [{ name: 'read_file', arguments: { path: '/n' } }],
  stop: 'tool-calls',
  usage: { input: 21, output: 7 },
  faults: [],
};
const eventsOf = (name: DialectName): string[] =>
  answerOfEvents(dialects[name].printEvents(turn, about)).pieces.map(({ bytes }) =>
    Buffer.from(bytes).toString(),
  );
const chatEvents = eventsOf('openai-chat');
const chat = (delta: object) =>
  event({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] });

async function called(
  path: string,
  answer: string | Uint8Array,
  asked: object = { stream: true },
): Promise<CallEvent> {
  edge = await watchedEdge();
  const talk = await edge.talk();
  await talk.ask(post(path, asked));
  await talk.answer(answer);
  const [call] = await edge.untilCalls(1);
  return call as CallEvent;
}

describe.each(Object.entries(paths) as [DialectName, string][])('%s', (name, path) => {
  test('a stream is folded to its turn', async () => {
    const call = await called(path, eventStream(eventsOf(name)));
    expect(call.turn).toMatchObject({ ...folded, dialect: name, streamed: true, oddities: [] });
  });

  test('a body is folded to its turn', async () => {
    const whole = name === 'gemini' ? '/v1beta/models/g-1:generateContent' : path;
    const call = await called(whole, jsonAnswer(dialects[name].printBody(turn, about)), { stream: false });
    expect(call.turn).toMatchObject({ ...folded, dialect: name, streamed: false, oddities: [] });
  });

  test('a stream that is cut off is not complete', async () => {
    edge = await watchedEdge();
    const { ask, answer, provider } = await edge.talk();
    await ask(post(path, { stream: true }));
    await answer(eventsHead + chunk(eventsOf(name).join('').slice(0, -60)));
    provider.socket.end();
    const [call] = await edge.untilCalls(1);
    expect(call).toMatchObject({ incomplete: 'cut', turn: { dialect: name, complete: false } });
    expect(call?.turn?.faults).not.toEqual([]);
  });
});

test('a legacy completion is a turn too, and an embedding is not', async () => {
  const said = { ...folded, calls: [], stop: 'end' };
  const spoken: Turn = { ...turn, parts: turn.parts.slice(0, 1), stop: 'end' };
  const stream = answerOfEvents(completionDialect.printEvents(spoken, about)).pieces;
  const events = stream.map(({ bytes }) => Buffer.from(bytes).toString());
  const streamed = await called('/v1/completions', eventStream(events));
  expect(streamed.turn).toMatchObject({ ...said, streamed: true });
  await edge.close();
  const whole = await called('/v1/completions', jsonAnswer(completionDialect.printBody(spoken, about)));
  expect(whole.turn).toMatchObject({ ...said, streamed: false });
  await edge.close();
  const embedding = await called('/v1/embeddings', jsonAnswer({ object: 'list', data: [] }));
  expect(embedding).not.toHaveProperty('turn');
});

test('events have their time, and more of them than are kept are folded', async () => {
  const words = Array.from({ length: 1_500 }, (_, index) => chat({ content: `${index} ` }));
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  await ask(post('/v1/chat/completions', { stream: true }));
  await answer(eventsHead + chunk(words.slice(0, 500).join('')));
  const [seen] = edge.tap.callsInFlight();
  expect(seen?.turn).toMatchObject({ complete: false, faults: [] });
  expect(seen?.turn?.text).toMatch(/499 $/);
  const finish =
    event({ id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) + event('[DONE]');
  await answer(chunk(words.slice(500).join('') + finish) + lastChunk);
  const [call] = await edge.untilCalls(1);
  expect(call?.response?.events).toHaveLength(1_000);
  expect(call?.turn).toMatchObject({ complete: true, stop: 'end' });
  expect(call?.turn?.text).toMatch(/1499 $/);
  const at = (call?.response?.events ?? []).map((one) => one.at ?? Number.NaN);
  expect(at.every((ms, index) => ms >= (at[index - 1] ?? 0))).toBe(true);
  expect(at[999]).toBeGreaterThan(at[0] ?? Number.POSITIVE_INFINITY);
});

test.each([
  ['gzip', gzipSync(chatEvents.join(''))],
  ['br', brotliCompressSync(chatEvents.join(''))],
])('a stream compressed by %s is read', async (encoding, body) => {
  const headers = { 'content-type': 'text/event-stream', 'content-encoding': encoding };
  const call = await called('/v1/chat/completions', http('HTTP/1.1 200 OK', headers, body));
  expect(call.turn).toMatchObject({ ...folded, streamed: true });
});

test('one that cannot be undone has no turn', async () => {
  const headers = { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' };
  const call = await called('/v1/chat/completions', http('HTTP/1.1 200 OK', headers, 'no gzip'));
  expect(call).not.toHaveProperty('turn');
});

test('a body where a stream was asked for is noted', async () => {
  const call = await called(
    '/v1/chat/completions',
    jsonAnswer(dialects['openai-chat'].printBody(turn, about)),
  );
  expect(call.turn).toMatchObject({ ...folded, oddities: [{ rule: 'http.body-for-stream' }] });
});

const jsonHead = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n';
test.each([
  ['a head alone', jsonHead, false],
  ['the beginning of a body', `${jsonHead}{"id":`, false],
  ['the beginning of a stream', eventsHead + chunk(chat({ content: 'Vo' })), true],
])(
  "%s: what is not there yet is nobody's fault while the consumer waits, and where it gives up",
  async (_, begun, streamed) => {
    edge = await watchedEdge();
    const { ask, answer, consumer } = await edge.talk();
    await ask(post('/v1/chat/completions', { stream: streamed }));
    await answer(begun);
    const expected = { streamed, complete: false, faults: [], oddities: [] };
    expect(edge.tap.callsInFlight()).toMatchObject([{ turn: expected }]);
    consumer.socket.resetAndDestroy();
    expect(await edge.untilCalls(1)).toMatchObject([{ incomplete: 'cut', turn: expected }]);
  },
);

test.each([
  ['a refusal', jsonAnswer({ error: { message: 'slow down', type: 'rate_limit' } }, 429)],
  ['a page', http('HTTP/1.1 502 Bad Gateway', { 'content-type': 'text/html' }, '<html>Bad</html>')],
])('%s is an error', async (_, answer) => {
  const call = await called('/v1/chat/completions', answer);
  expect(call.turn).toMatchObject({ complete: false, error: { message: expect.any(String) } });
});

test('a turn beyond what is kept is cut, and not complete', async () => {
  const text = 'x'.repeat(2 * 1024 * 1024);
  const call = await called('/v1/chat/completions', eventStream([chat({ content: text }), ...chatEvents]));
  expect(call).toMatchObject({ incomplete: 'too-large', turn: { complete: false } });
  expect(JSON.stringify(call.turn).length).toBeLessThan(1024 * 1024);
});

test.each([
  ['another path', post('/v1/things', {}), jsonAnswer({ a: 1 })],
  ['another method', http('GET /v1/chat/completions HTTP/1.1'), jsonAnswer({ a: 1 })],
])('%s has no turn', async (_, request, answer) => {
  edge = await watchedEdge();
  const talk = await edge.talk();
  await talk.ask(request);
  await talk.answer(answer);
  const [call] = await edge.untilCalls(1);
  expect(call).not.toHaveProperty('turn');
});
