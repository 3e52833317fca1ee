import { expect, test } from 'vitest';
import { declaredFor, readOpenApi } from './openapi-document.ts';

const document = {
  openapi: '3.0.3',
  servers: [{ url: 'https://shop.example/{stage}/v1/' }],
  paths: { '/things': { get: {}, post: {}, parameters: [] }, '/things/{id}': { delete: {} } },
};

test('paths with and without their base path', () => {
  const openApi = readOpenApi(document);
  expect([...(openApi?.paths ?? [])]).toEqual([
    ['/things', ['GET', 'POST']],
    ['/x/v1/things', ['GET', 'POST']],
    ['/things/{id}', ['DELETE']],
    ['/x/v1/things/{id}', ['DELETE']],
  ]);
});

test.each([
  ['/things?page=2', ['/things']],
  ['/things/7', ['/things/{id}']],
  ['/things/${made.json.id}', ['/things/{id}']],
  ['/${trial.uid}', ['/things']],
  ['/thing', []],
  ['/things/7/parts', []],
])('%s may be %j', (path, declared) => {
  const openApi = readOpenApi({ ...document, servers: [] });
  expect(openApi && declaredFor(openApi, path).map(([one]) => one)).toEqual(declared);
});

test('not a document: no version, no paths, a page', () => {
  for (const value of [{ paths: {} }, { openapi: '3.0.0' }, '<html>', null, []])
    expect(readOpenApi(value)).toBeUndefined();
  expect(
    readOpenApi({ swagger: '2.0', basePath: '/v2', paths: { '/a': { get: {} } } })?.paths.has('/v2/a'),
  ).toBe(true);
});
