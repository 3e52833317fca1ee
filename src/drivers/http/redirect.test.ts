import { expect, test } from 'vitest';
import { nextHop } from './redirect.ts';

const post = { method: 'POST', url: 'http://a.test:1/x/y?q=1' };
const get = { method: 'GET', url: 'http://a.test:1/x/y' };

test('what is asked next, and whether the body goes along', () => {
  expect(nextHop(302, '../z#top', post)).toEqual({
    method: 'GET',
    url: 'http://a.test:1/z',
    keepsBody: false,
    isForeign: false,
  });
  expect(nextHop(307, '/z', post)).toMatchObject({ method: 'POST', keepsBody: true });
  expect(nextHop(308, '/z', post)).toMatchObject({ method: 'POST', keepsBody: true });
  expect(nextHop(303, '/z', { ...post, method: 'PUT' })).toMatchObject({ method: 'GET', keepsBody: false });
  expect(nextHop(303, '/z', { ...get, method: 'HEAD' })).toMatchObject({ method: 'HEAD' });
  expect(nextHop(301, '/z', get)).toMatchObject({ method: 'GET', keepsBody: true });
});

test('another port is another server', () => {
  expect(nextHop(302, 'http://a.test:2/', get)).toMatchObject({ isForeign: true });
});

test.each([
  [200, '/z'],
  [304, '/z'],
  [302, undefined],
  [302, 'http://'],
  [302, 'file:///etc/passwd'],
  [302, 'javascript:alert(1)'],
])('%d with %s is the last answer', (status, location) => {
  expect(nextHop(status, location, get)).toBeUndefined();
});
