import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument, visit } from 'yaml';
import { messageOf } from '../../test/harness/config-project.ts';

/** Contains every key of the schema at least once. */
const valid = `name: shop
trials: [trials/**]
resources:
  db:
    kind: postgres
    schemaPerService: true
    url: postgres://localhost
    settings: { max_connections: 20 }
  llm:
    kind: model
    mode: live
    because: it costs money
    strict: true
    keys: [sk-test]
    models: [model-a]
    standing: { '*': [{ says: hello, usage: { input: 1, output: 1 }, times: any }] }
    fixtures: [fixtures.json]
    upstreams: { openai: { url: 'http://localhost', key: OPENAI_KEY } }
    prices: { model-a: { input: 1, output: 2, cachedInput: 0.5 } }
    budget: { usd: 1, tokens: 1000 }
    cassettes: tapes
    timing: original
  messenger:
    kind: http
    because: not ours
    standing: [{ on: POST /send, answer: { status: 202, after: 10ms }, callback: { to: web, times: 2 } }]
    callbacks: { web: "\${web.url}" }
jobs:
  migrate:
    run: [node, migrate.js]
    cwd: .
    env: { URL: "\${db.url}" }
    after: [db]
    within: 1m
    inputs: [migrations/**]
services:
  web:
    run: node web.js
    listen:
      - { env: PORT, name: main, scheme: http }
      - { log: ':(\\d+)', name: admin }
      - { port: 8100, name: fixed }
      - { auto: true, name: chosen }
    files:
      app.toml: { text: hello, format: toml }
    ready:
      allOf:
        - { http: /health, status: 200, json: { ok: true }, body: x, firstBytes: x, listener: admin }
        - anyOf: [{ tcp: true, send: x }, { handshake: { codec: hex6-sexp, expect: { a: 1 }, send: x } }]
        - { command: ['true'], every: 1s, inARow: 2 }
        - { log: up }
      within: 10s
    stop: { signal: SIGINT, within: 1s }
    reset: { http: POST /reset }
  theirs: { at: 'http://localhost:8200', ready: { http: /health }, after: [web] }
rosters:
  butlers:
    each: "*.toml"
    name: "\${it.name}"
    service: { run: x, listen: { env: PORT } }
secrets: [KEY]
logs:
  error: ERROR
  allow: [{ service: web, match: ^WARN, because: expected }]
gates:
  pr: { priority: [p0], tags: [smoke], skips: forbid }
relays:
  pass: { incoming: outside -> web, outgoing: web -> llm, same: [request.json] }
boot: { within: 1m }
teardown: { within: 10s }
`;
const manifest = { 'one.toml': 'name = "one"\n' };

/** Under these, keys are the user's own. */
const ownKeys = [
  'resources',
  'jobs',
  'services',
  'rosters',
  'gates',
  'relays',
  'standing',
  'upstreams',
  'prices',
  'callbacks',
  'env',
  'settings',
  'files',
  'json',
  'expect',
];

interface Key {
  readonly word: string;
  readonly offset: number;
}

function schemaKeys(): Key[] {
  const keys: Key[] = [];
  visit(parseDocument(valid), {
    Pair: (_, pair, path) => {
      const owner = path.findLast((node) => 'key' in node) as { key: { value: string } } | undefined;
      const key = pair.key as { value: string; range: [number, number, number] };
      if (!owner || !ownKeys.includes(owner.key.value)) keys.push({ word: key.value, offset: key.range[0] });
    },
  });
  return keys;
}

test('the document that is misspelt below is valid', async () => {
  expect(await messageOf({ 'shakedown.yaml': valid, ...manifest })).toBe('');
  expect(schemaKeys().length).toBeGreaterThan(60);
});

test('a misspelt key is always reported at its own place', async () => {
  const keys = schemaKeys();
  const misspelling = fc.record({
    key: fc.constantFrom(...keys),
    at: fc.nat(),
    letter: fc.constantFrom('q', 'x', 'z'),
  });
  await fc.assert(
    fc.asyncProperty(misspelling, async ({ key, at, letter }) => {
      const place = 1 + (at % key.word.length);
      const wrong = key.word.slice(0, place) + letter + key.word.slice(place);
      const yaml = valid.slice(0, key.offset) + wrong + valid.slice(key.offset + key.word.length);
      const before = valid.slice(0, key.offset).split('\n');
      const where = `${before.length}:${(before.at(-1) as string).length + 1}`;
      const shown = await messageOf({ 'shakedown.yaml': yaml, ...manifest });
      expect(shown).toContain(`error[config.unknown-key] ~/shakedown.yaml:${where}\n`);
      expect(shown).toContain(`what     \`${wrong}\` is not a key of`);
      expect(shown).toContain(`next     did you mean \`${key.word}\`?`);
    }),
    { numRuns: 150 },
  );
});
