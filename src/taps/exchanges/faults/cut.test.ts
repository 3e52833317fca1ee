import { afterEach, describe, expect, test } from 'vitest';
import {
  type DisturbedEdge,
  disturbedEdge,
  event,
  eventStream,
} from '../../../../test/taps/disturbed-edge.ts';
import { eventually, manyTurns } from '../../../../test/taps/eventually.ts';
import { chunk, eventsHead, http, jsonAnswer, lastChunk, post } from '../../../../test/taps/watched-edge.ts';
import type { Place } from '../exchange-rule.ts';

let edge: DisturbedEdge;
afterEach(() => edge.close());

const ask = post('/v1/things', { a: 1 });
const plain = http('HTTP/1.1 200 OK', { 'content-type': 'text/plain' }, 'Voilà, all of it');
const head = plain.subarray(0, plain.indexOf('\r\n\r\n') + 4).toString();

const chat = (delta: object, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta, finish_reason: finish }] });
const fragment = (text: string) => chat({ tool_calls: [{ index: 0, function: { arguments: text } }] });
const events = [
  chat({ role: 'assistant', content: '' }),
  chat({ content: 'Voilà' }),
  ': a comment\n\n',
  chat({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'read', arguments: '' } }] }),
  fragment('{"path":'),
  fragment('"/notes"}'),
  chat({}, 'tool_calls'),
  event('[DONE]'),
];
const upTo = (count: number) => eventsHead + events.slice(0, count).map(chunk).join('');
/** The chunk that is open, up to where it is cut. */
const inside = (count: number, last: string) => {
  const text = events[count] ?? '';
  const end = text.indexOf(last) + last.length;
  return `${upTo(count)}${Buffer.byteLength(text).toString(16)}\r\n${text.slice(0, end)}`;
};

async function cut(at: Place, answer: string | Uint8Array, by: 'fin' | 'reset' = 'fin') {
  edge = await disturbedEdge({ do: 'cut', at, by });
  const answered = await edge.answering(ask, answer);
  return { ...answered, heard: await answered.consumer.over };
}

describe.each(['fin', 'reset'] as const)('by %s', (by) => {
  test.each<[string, Place, string | Uint8Array, string, string]>([
    ['after the head', { head: true }, plain, head, 'after the head'],
    ['before the first byte', { byte: 0 }, plain, head, 'after the head'],
    ['after some bytes', { byte: 3 }, plain, `${head}Voi`, 'after 3 bytes'],
    [
      'before the first event',
      { event: 1 },
      eventStream(events),
      eventsHead,
      'before event 1, after 0 bytes',
    ],
    ['before an event', { event: 2 }, eventStream(events), upTo(1), 'before event 2, after'],
    ['a comment is not an event', { event: 3 }, eventStream(events), upTo(3), 'before event 3, after'],
    [
      'before the finish',
      { event: 'finish' },
      eventStream(events),
      upTo(6),
      'before event 6, which ends the turn',
    ],
    [
      'in arguments',
      { argumentDelta: 2 },
      eventStream(events),
      inside(5, '"\\"/no'),
      'inside event 5, in fragment 2',
    ],
    [
      'in a text',
      { textDelta: 1 },
      eventStream(events),
      inside(1, '"Voi'),
      'inside event 2, in fragment 1 of the text',
    ],
  ])('%s', async (_, at, answer, expected, where) => {
    const { got, heard } = await cut(at, answer, by);
    expect(got()).toBe(Buffer.from(expected).toString('latin1'));
    expect(heard).toBe(by === 'fin' ? 'fin' : 'ECONNRESET');
    const [what] = await edge.untilFelt(1);
    expect(what).toContain(`cut by ${by} ${where}`);
    expect(edge.felt()).toMatchObject([{ disturbance: 'disturb[0]', crossing: 1, connection: 1 }]);
    await eventually(() => edge.ends().length === 1);
    expect(edge.ends()).toEqual(['cut']);
    expect(await edge.untilCalls(1)).toMatchObject([{ crossing: 1, incomplete: 'cut' }]);
  });

  test.each([
    ['a character', 'à', 'Voil\u00c3'],
    ['a text', 'ilà,', 'Voil'],
  ])('inside %s', async (_, text, expected) => {
    const { got } = await cut({ inside: text }, plain, by);
    expect(got()).toBe(head + expected);
    expect(await edge.untilFelt(1)).toEqual([expect.stringContaining(`inside "${text}"`)]);
  });
});

test('a character whose bytes come one by one is found', async () => {
  edge = await disturbedEdge({ do: 'cut', at: { inside: 'à' }, by: 'fin' });
  const { consumer, provider } = await edge.join();
  consumer.socket.write(ask);
  await eventually(() => provider.gotBytes === ask.length);
  for (const byte of plain) {
    provider.socket.write(Buffer.of(byte));
    await manyTurns(3);
  }
  await consumer.over;
  expect(consumer.got.toString('latin1')).toBe(`${head}Voil\u00c3`);
});

test.each<[string, Place, string | Uint8Array]>([
  ['a body that is shorter', { byte: 18 }, plain],
  ['a stream with fewer events', { event: 8 }, eventStream(events)],
  ['what is not a stream of events', { event: 1 }, jsonAnswer({ a: 1 })],
  ['a text that does not come', { inside: 'ê' }, plain],
  ['a compressed body', { inside: 'à' }, http('HTTP/1.1 200 OK', { 'content-encoding': 'br' }, 'Voilà')],
  ['a stream without arguments', { argumentDelta: 1 }, eventStream(events.slice(0, 3))],
  ['an event that never ends', { event: 2 }, `${eventsHead}${chunk(`${events[0]}data: x`)}${lastChunk}`],
  ['a body that ends there', { byte: 17 }, plain],
  ['no body at all', { byte: 1 }, 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['an empty body, at its head', { head: true }, http('HTTP/1.1 202 Accepted', {}, '')],
  ['an empty body, at its first byte', { byte: 0 }, http('HTTP/1.1 202 Accepted', {}, '')],
])('%s is not cut, and passes byte for byte', async (_, at, answer) => {
  edge = await disturbedEdge({ do: 'cut', at, by: 'reset' });
  const { until, consumer } = await edge.answering(ask, answer);
  await until(answer.toString());
  expect(await edge.untilCalls(1)).not.toMatchObject([{ incomplete: 'cut' }]);
  expect(edge.felt()).toEqual([]);
  expect(consumer.heard).toBeUndefined();
});
