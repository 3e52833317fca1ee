import { expect, test } from 'vitest';
import { originOf, requestPath } from './request-url.ts';

test.each<[string, Record<string, string> | undefined, string]>([
  ['/ask', undefined, '/ask'],
  ['ask', undefined, '/ask'],
  ['', undefined, '/'],
  ['/a/../../etc/passwd', undefined, '/a/../../etc/passwd'],
  ['//double//', undefined, '//double//'],
  ['/a%2Fb%zz', undefined, '/a%2Fb%zz'],
  ['/with space/à', undefined, '/with%20space/%C3%A0'],
  ['/line\r\nbreak', undefined, '/line%0D%0Abreak'],
  ['/half\ud800', undefined, '/half%EF%BF%BD'],
  ['/a', { q: 'one & two', 'ü=': '#' }, '/a?q=one%20%26%20two&%C3%BC%3D=%23'],
  ['/a?b=1', { c: '2' }, '/a?b=1&c=2'],
])('%j with %j is sent as %j', (path, query, sent) => {
  expect(requestPath(path, query)).toBe(sent);
});

test('where it is sent to', () => {
  const address = { scheme: 'tcp', host: '127.0.0.1', port: 8080, url: 'tcp://127.0.0.1:8080' };
  expect(originOf(address)).toBe('http://127.0.0.1:8080');
  expect(originOf({ ...address, scheme: 'https', host: '::1' })).toBe('https://[::1]:8080');
});
