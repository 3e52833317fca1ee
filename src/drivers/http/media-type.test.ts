import { expect, test } from 'vitest';
import { bodyKind, decodedText } from './media-type.ts';

test.each([
  ['application/json', 'json'],
  ['Application/JSON; charset=utf-8', 'json'],
  ['application/problem+json', 'json'],
  ['text/event-stream; charset=utf-8', 'events'],
  ['text/html', 'text'],
  ['application/xml', 'text'],
  ['image/svg+xml', 'text'],
  ['application/atom+xml', 'text'],
  ['application/x-www-form-urlencoded', 'text'],
  ['application/octet-stream', 'binary'],
  ['application/jsonp', 'binary'],
  [' ; ', 'unsaid'],
  [undefined, 'unsaid'],
])('%s is %s', (type, kind) => {
  expect(bodyKind(type)).toBe(kind);
});

test('the charset that is named decodes, and one that nobody knows does no harm', () => {
  expect(decodedText('text/plain; charset="ISO-8859-1"', Buffer.of(0xe0))).toBe('à');
  expect(decodedText('text/plain; charset=klingon', Buffer.from('à'))).toBe('à');
  expect(decodedText('text/plain; charset=utf-8', Buffer.of(0xe0, 0x61))).toBe('‹no-utf8›a');
});
