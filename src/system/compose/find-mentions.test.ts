import { expect, test } from 'vitest';
import { findMentions } from './find-mentions.ts';

const names = ['db', 'cache', 'api', 'api-two', 'my_kafka'];

test.each([
  ['http://api:8000/v1', [{ name: 'api', port: 8000, scheme: 'http' }]],
  ['postgresql+asyncpg://u:p@db/x', [{ name: 'db', port: 5432, scheme: 'postgresql+asyncpg' }]],
  ['redis://:pw@cache:6380/0', [{ name: 'cache', port: 6380, scheme: 'redis' }]],
  [
    'my_kafka:9092,api:1',
    [
      { name: 'my_kafka', port: 9092 },
      { name: 'api', port: 1 },
    ],
  ],
  ['http://api-two:80', [{ name: 'api-two', port: 80, scheme: 'http' }]],
  ['--upstream=api:9000', [{ name: 'api', port: 9000 }]],
  ['http://api', [{ name: 'api', port: 80, scheme: 'http' }]],
  ['http://example.com/api:8000', [{ name: 'api', port: 8000 }]],
  ['the db is here, api.example.com:80, user@db.example:5', []],
  ['db:99999', []],
])('%s', (text, expected) => {
  expect(findMentions({ X: text }, [], names)).toEqual(expected);
  expect(findMentions({}, [text], names)).toEqual(expected);
});

test('a host and a port in two variables', () => {
  expect(
    findMentions({ DB_HOST: 'db', DB_PORT: '5433', PGHOST: 'db', PGPORT: '5434', NAME: 'db' }, [], names),
  ).toEqual([
    { name: 'db', port: 5433 },
    { name: 'db', port: 5434 },
  ]);
});
