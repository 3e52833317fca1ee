import { expect, test } from 'vitest';
import { fitsRoute, parseRoute, type Route } from './peer-script.ts';

test.each([
  ['POST /send', 'POST', '/send', true],
  ['POST /send', 'GET', '/send', false],
  ['post /send', 'POST', '/send', true],
  ['POST /send', 'POST', '/send/', false],
  ['POST /send', 'POST', '/sen', false],
  ['* /send', 'DELETE', '/send', true],
  ['GET /users/*', 'GET', '/users/7', true],
  ['GET /users/*', 'GET', '/users/', true],
  ['GET /users/*', 'GET', '/users/7/name', false],
  ['GET /users/*/name', 'GET', '/users/7/name', true],
  ['GET /bot*/send*', 'GET', '/bot12:x/sendMessage', true],
  ['GET /**', 'GET', '/', true],
  ['GET /a/**/z', 'GET', '/a/b/c/z', true],
  ['GET /a/**/z', 'GET', '/a/b/c/y', false],
  ['GET /a.b', 'GET', '/axb', false],
  ['GET /grüße/*', 'GET', '/grüße/☃', true],
])('%s and %s %s: %s', (on, method, path, fits) => {
  expect(fitsRoute(parseRoute(on) as Route, method, path)).toBe(fits);
});

test.each(['/send', 'POST send', 'POST', '', 'POST /a b'])('`%s` is not a route', (on) => {
  expect(parseRoute(on)).toBeUndefined();
});

test('many wildcards and a long path are matched quickly', () => {
  const route = parseRoute(`GET /${'**a'.repeat(30)}b`) as Route;
  expect(fitsRoute(route, 'GET', `/${'a'.repeat(5_000)}`)).toBe(false);
});
