import { expect, test } from 'vitest';
import type { System } from './system.ts';
import { findUntapped } from './untapped.ts';

function untappedIn(env: Record<string, string>, run: readonly string[] = ['node', 'x.js']): unknown {
  const service = { kind: 'service', name: 'web', run, env, files: [] };
  return findUntapped({ jobs: [], services: [service] } as unknown as System).map(({ address, where }) => [
    where,
    address,
  ]);
}

test('plain addresses are found, references are not', () => {
  expect(
    untappedIn({
      A: 'http://localhost:8080/x',
      B: '${db.url}',
      C: 'https://api.example.com/v1',
      D: '127.0.0.1:6379',
      E: 'http://${peer.host}:${peer.port}/x',
      F: 'just text, 12:30',
      G: 'name=${peer.url},other=redis://cache:6379/0',
    }),
  ).toEqual([
    ['env A', 'http://localhost:8080/x'],
    ['env C', 'https://api.example.com/v1'],
    ['env D', '127.0.0.1:6379'],
    ['env G', 'redis://cache:6379/0'],
  ]);
});

test('the command line is searched too', () => {
  expect(untappedIn({}, ['agent', '--upstream=http://10.0.0.4:9000'])).toEqual([
    ['run', 'http://10.0.0.4:9000'],
  ]);
});
