import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type BodyState, readBody } from './read-body.ts';

const json = 'application/json';
const events = 'text/event-stream';
const limits = { bytes: 1_000, unpackedBytes: 2_000, events: { events: 3, chars: 1_000 } };

function read(type: string, body: string | Buffer, coding?: string, state: Partial<BodyState> = {}): unknown {
  const headers = { 'content-type': type, ...(coding === undefined ? {} : { 'content-encoding': coding }) };
  return readBody(Buffer.from(body as Buffer), headers, { isWhole: true, isCut: false, ...state }, limits);
}

test.each<[string, string, string | Buffer, string | undefined, object]>([
  ['JSON', json, '{"a":"é"}', undefined, { json: { a: 'é' } }],
  ['with a byte order mark', `${json}; charset=utf-8`, '\ufeff{"a":1}', undefined, { json: { a: 1 } }],
  ['in Latin-1', `${json}; charset=iso-8859-1`, Buffer.from('"é"', 'latin1'), undefined, { json: 'é' }],
  ['in UTF-16', `${json}; charset=utf-16le`, Buffer.from('\ufeff"é"', 'utf16le'), undefined, { json: 'é' }],
  ['packed', json, gzipSync('\ufeff[1]'), 'gzip', { json: [1] }],
  ['a text', 'text/plain', 'é', undefined, { text: 'é' }],
  ['no text', 'image/png', Buffer.of(0x89, 0xff), undefined, {}],
  [
    'events',
    events,
    'id: 1\ndata: {"a":1}\n\ndata: [DONE]\n\ndata: {\n\n',
    undefined,
    {
      events: [{ id: '1', data: { a: 1 } }, { data: '[DONE]' }, { data: '{' }],
    },
  ],
  [
    'packed events',
    events,
    brotliCompressSync('event: error\ndata: lost\n\n'),
    'br',
    {
      events: [{ event: 'error', data: 'lost' }],
    },
  ],
])('%s', (_, type, body, coding, expected) => {
  expect(read(type, body, coding)).toEqual(expected);
});

test.each<[string, string, string | Buffer, string | undefined, object]>([
  ['invalid JSON', json, '{"a":', undefined, { text: '{"a":', broken: /^declared as JSON, but invalid/ }],
  ['a key twice', json, '{"a":1,"a":2}', undefined, { text: '{"a":1,"a":2}', broken: /same key twice/ }],
  ['no UTF-8', json, Buffer.from('"é"', 'latin1'), undefined, { text: '"‹no-utf8›"', broken: /not UTF-8/ }],
  ['an unknown coding', json, '1', 'compress', { broken: /"compress" is unknown/ }],
  ['another coding', events, 'data: 1\n\n', 'gzip', { broken: /not valid gzip/ }],
  [
    'half of a packed text',
    'text/plain',
    gzipSync('half').subarray(0, -8),
    'gzip',
    {
      text: 'half',
      unfinished: true,
      broken: /unexpected end/,
    },
  ],
  [
    'half of packed events',
    events,
    gzipSync('data: 1\n\n').subarray(0, -8),
    'gzip',
    {
      events: [{ data: 1 }],
      unfinished: true,
      broken: /unexpected end/,
    },
  ],
  [
    'an end inside an event',
    events,
    'data: 1\n\nevent: error\ndata: lost',
    undefined,
    {
      events: [{ data: 1 }],
      unfinished: true,
      broken: /inside an event/,
    },
  ],
])('what is not what it says: %s', (_, type, body, coding, { broken, ...expected }: { broken?: RegExp }) => {
  expect(read(type, body, coding)).toEqual({ ...expected, broken: expect.stringMatching(broken as RegExp) });
});

test('data of an event that looks like JSON and cannot be read', () => {
  const data = ['{"ok":false,"ok":true}', '{"half', '[{"a":1}{"b":2}]'];
  expect(read(events, data.map((text) => `data: ${text}\n\n`).join(''))).toEqual({
    events: data.map((text) => ({ data: { $broken: text } })),
  });
});

test('more than is read', () => {
  const text = 'x'.repeat(1_500);
  const kept = { text: 'x'.repeat(1_000), tooLarge: true };
  expect(read('text/plain', text)).toEqual(kept);
  expect(read(json, zstdCompressSync(text), 'zstd')).toEqual(kept);
  expect(read(json, gzipSync('x'.repeat(3_000)), 'gzip')).toEqual({ tooLarge: true });
  expect(read(json, '{}', undefined, { isCut: true })).toEqual({ text: '{}', tooLarge: true });
  expect(read(events, 'data: 1\n\n'.repeat(4))).toMatchObject({ events: { length: 3 }, tooLarge: true });
  expect(read(events, 'data: 1\n\nda', undefined, { isCut: true })).toEqual({
    events: [{ data: 1 }],
    tooLarge: true,
  });
});

test('what is still in transit is not broken', () => {
  const soFar = { isWhole: false };
  expect(read(json, '{"a":1', undefined, soFar)).toEqual({ text: '{"a":1' });
  expect(read(json, '12', undefined, soFar)).toEqual({ text: '12' });
  expect(read(json, '{"a":1}', undefined, soFar)).toEqual({ json: { a: 1 } });
  expect(read('text/plain', Buffer.from('é€').subarray(0, -1), undefined, soFar)).toEqual({ text: 'é' });
  expect(read(events, 'data: 1\n\nevent: er', undefined, soFar)).toEqual({ events: [{ data: 1 }] });
  expect(read(events, gzipSync('data: 1\n\n').subarray(0, -8), 'gzip', soFar)).toEqual({
    events: [{ data: 1 }],
  });
});
