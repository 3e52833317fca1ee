import { expect, test } from 'vitest';
import type { ReadySpec } from '../../system/system.ts';
import { readyText } from './ready-text.ts';

const patience = { withinMs: 1_000, inARow: 1 };
const listen = [
  { name: 'main', scheme: 'http', how: { by: 'fixed', port: 8000 } },
  { name: 'admin', scheme: 'http', how: { by: 'reference' } },
] as const;

function textOf(ready: ReadySpec): string {
  return readyText({ ready, listen, addresses: new Map([['admin', { port: 23_456 }]]) });
}

test('each condition is said in words, with the port that is waited for', () => {
  const tcp: ReadySpec = { ...patience, probe: 'tcp' };
  const admin: ReadySpec = { ...patience, probe: 'tcp', listener: 'admin', firstBytes: '^220' };
  expect(
    textOf({ ...patience, probe: 'health', otherwise: { ...patience, probe: 'any', of: [tcp, admin] } }),
  ).toBe(
    'its healthcheck succeeds; where it has none: port 8000 accepts connections or port 23456 accepts connections (firstBytes ^220)',
  );
  expect(textOf({ ...patience, inARow: 3, probe: 'http', path: '/health', json: { ok: true } })).toBe(
    'GET /health on port 8000 is answered with status 200–299, json {"ok":true}, 3 times in a row',
  );
  expect(textOf({ ...patience, probe: 'all', of: [{ ...patience, probe: 'log', pattern: 'up' }, tcp] })).toBe(
    'a line of its log matches /up/ and port 8000 accepts connections',
  );
  expect(textOf({ ...patience, probe: 'command', run: ['pg_isready'] })).toBe('`pg_isready` ends with 0');
  expect(textOf({ ...patience, probe: 'handshake', codec: 'json', expect: { hello: 1 } })).toBe(
    'port 8000 answers in json with {"hello":1}',
  );
  expect(textOf({ ...patience, probe: 'started' })).toBe('it runs');
});
