import { expect, test } from 'vitest';
import { limits } from '../../kernel/limits.ts';
import { buildReady } from './build-ready.ts';

const listener = (name: string) => ({ name, scheme: 'http', how: { by: 'reference' as const } });
const patience = { withinMs: limits.readyWithinMs, inARow: 1 };

test('without a condition: the process, its port, or all of its ports', () => {
  expect(buildReady(undefined, [])).toEqual({ ...patience, probe: 'started' });
  expect(buildReady(undefined, [listener('main')])).toEqual({ ...patience, probe: 'tcp', listener: 'main' });
  expect(buildReady(undefined, [listener('main'), listener('admin')])).toEqual({
    ...patience,
    probe: 'all',
    of: [
      { ...patience, probe: 'tcp', listener: 'main' },
      { ...patience, probe: 'tcp', listener: 'admin' },
    ],
  });
});

test('http with its patterns and modifiers', () => {
  const written = {
    http: '/health',
    within: '15s',
    every: '250ms',
    inARow: 3,
    listener: 'admin',
    status: 204,
    json: { ok: true },
    body: 'x',
    firstBytes: '^data',
  };
  expect(buildReady(written, [])).toEqual({
    probe: 'http',
    path: '/health',
    withinMs: 15_000,
    everyMs: 250,
    inARow: 3,
    listener: 'admin',
    status: 204,
    json: { ok: true },
    body: 'x',
    firstBytes: '^data',
  });
});

test('tcp names its listener in either way', () => {
  expect(buildReady({ tcp: 'admin', send: 'PING', firstBytes: 'PONG' }, [])).toEqual({
    ...patience,
    probe: 'tcp',
    listener: 'admin',
    send: 'PING',
    firstBytes: 'PONG',
  });
  expect(buildReady({ tcp: true, listener: 'admin' }, [])).toEqual({
    ...patience,
    probe: 'tcp',
    listener: 'admin',
  });
  expect(buildReady({ tcp: true }, [])).toEqual({ ...patience, probe: 'tcp' });
});

test('handshake, command and log', () => {
  expect(buildReady({ handshake: { codec: 'hex6-sexp', expect: { TYPE: ':EVENT' }, send: 1 } }, [])).toEqual({
    ...patience,
    probe: 'handshake',
    codec: 'hex6-sexp',
    expect: { TYPE: ':EVENT' },
    send: 1,
  });
  expect(buildReady({ command: ['pg_isready'] }, [])).toEqual({
    ...patience,
    probe: 'command',
    run: ['pg_isready'],
  });
  expect(buildReady({ log: 'up' }, [])).toEqual({ ...patience, probe: 'log', pattern: 'up' });
});

test('a condition within a condition has the time of the outer one unless it says otherwise', () => {
  const written = {
    allOf: [{ log: 'up' }, { anyOf: [{ tcp: true as const, within: '2s' }] }],
    within: '10s',
  };
  expect(buildReady(written, [])).toEqual({
    probe: 'all',
    withinMs: 10_000,
    inARow: 1,
    of: [
      { probe: 'log', pattern: 'up', withinMs: 10_000, inARow: 1 },
      { probe: 'any', withinMs: 10_000, inARow: 1, of: [{ probe: 'tcp', withinMs: 2_000, inARow: 1 }] },
    ],
  });
});
