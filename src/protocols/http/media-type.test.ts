import { expect, test } from 'vitest';
import { bodyText, mediaKind } from './media-type.ts';

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
  ['application/octet-stream', 'unknown'],
  ['application/jsonp', 'unknown'],
  [' ; ', 'unknown'],
  [undefined, 'unknown'],
])('%s is %s', (type, kind) => {
  expect(mediaKind(type)).toBe(kind);
});

test('the charset that is named decodes, and an unknown one does no harm', () => {
  expect(bodyText('text/plain; charset="ISO-8859-1"', Buffer.of(0xe0))).toBe('à');
  expect(bodyText('text/plain; charset=klingon', Buffer.from('à'))).toBe('à');
  expect(bodyText('text/plain; charset=utf-8', Buffer.of(0xe0, 0x61))).toBe('‹no-utf8›a');
});

test('what is not text by its type is text where it is UTF-8', () => {
  expect(bodyText('application/pdf', Buffer.from('à la carte'))).toBe('à la carte');
  expect(bodyText('application/pdf', Buffer.from('à la carte à').subarray(0, -1), true)).toBe('à la carte ');
  expect(bodyText('image/png; charset=ISO-8859-1', Buffer.of(0x89, 0x61))).toBeUndefined();
  expect(bodyText(undefined, Buffer.of(0x89, 0x61))).toBeUndefined();
});
