import { expect, test } from 'vitest';
import { fillRequest } from './fill-request.ts';
import type { PeerRequest } from './peer-request.ts';

const request: PeerRequest = {
  method: 'POST',
  path: '/send',
  query: { page: '2' },
  headers: { 'x-request-id': 'r-1' },
  text: '{}',
  json: { chat: { id: 7 }, list: ['a', { b: true }], 'odd-key': null, evil: '${request.json.chat.id}' },
};

test('a text that is one reference becomes the value, any other text stays a text', () => {
  expect(
    fillRequest(
      {
        id: '${request.json.chat.id}',
        both: ['n° ${request.json.chat.id} of ${request.query.page}', '${request.json.list.1}'],
        header: '${request.headers.x-request-id}',
        none: '${request.json.odd-key}',
        list: 'all: ${request.json.list}',
        number: 5,
        nothing: null,
      },
      request,
    ),
  ).toEqual({
    id: 7,
    both: ['n° 7 of 2', { b: true }],
    header: 'r-1',
    none: null,
    list: 'all: ["a",{"b":true}]',
    number: 5,
    nothing: null,
  });
});

test('what came in the request is not filled in a second time, and other dollars stay', () => {
  expect(fillRequest('${request.json.evil} ${other.thing} $5 ${request.json.chat.id', request)).toBe(
    '${request.json.chat.id} ${other.thing} $5 ${request.json.chat.id',
  );
});

test.each(['json.chat.name', 'json.list.9', 'json.chat.id.toString', 'json.constructor', 'cookies.a'])(
  'what the request does not have is named: %s',
  (path) => {
    expect(() => fillRequest({ text: `\${request.${path}}` }, request)).toThrow(`the request has no ${path}`);
  },
);
