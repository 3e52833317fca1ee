import { expect, test } from 'vitest';
import { loadInNode, loadProject, messageOf, serviceOf } from '../../test/harness/config-project.ts';
import { problemsIn } from '../kernel/problem.ts';
import { loadSystem } from './load-system.ts';

const form = `import { defineSystem, model, postgres, ref } from 'shakedown';

export default defineSystem({
  name: 'butlers',
  trials: 'trials/**',
  resources: {
    db: postgres({ schemaPerService: true }),
    model: model({ mode: 'script' }),
  },
  jobs: {
    migrate: {
      run: ['node', 'scripts/migrate.ts'],
      env: { DATABASE_URL: ref('db.url') },
      inputs: ['roster/*/migrations/**', 'scripts/migrate.ts'],
    },
  },
  services: {
    switchboard: {
      run: ['node', 'src/switchboard.ts'],
      listen: { env: 'PORT' },
      env: { DATABASE_URL: ref('db.url'), BUTLERS: ref('butlers.*.url') },
      after: ['migrate', 'butlers'],
      ready: { http: '/health', within: '15s' },
      reset: 'restart',
    },
  },
  rosters: {
    butlers: {
      each: 'roster/*/butler.toml',
      name: '\${it.butler.name}',
      service: {
        run: ['node', 'src/butler.ts', '\${it.folder}'],
        listen: { env: 'PORT' },
        env: { DATABASE_URL: ref('db.url') },
        after: ['migrate'],
        ready: { http: '/health', json: { status: { $any: ['ok', 'degraded'] } } },
        reset: 'restart',
      },
    },
  },
  secrets: ['ANTHROPIC_API_KEY', 'TELEGRAM_TOKEN'],
  logs: { error: '\\\\b(ERROR|FATAL)\\\\b|Traceback' },
  gates: { pr: { priority: ['p0'], skips: 'forbid' }, nightly: { priority: ['p0', 'p1'] } },
});
`;
const roster = {
  'roster/health/butler.toml': '[butler]\nname = "health"\n',
  'roster/finance/butler.toml': '[butler]\nname = "finance"\n',
};

test('the form', async () => {
  const system = await loadInNode({ 'shakedown.config.ts': form, ...roster });
  expect(system).toMatchObject({
    name: 'butlers',
    trials: ['trials/**'],
    resources: [
      { kind: 'postgres', name: 'db', share: 'schema-per-service', settings: {} },
      {
        kind: 'model',
        name: 'model',
        mode: 'script',
        strict: false,
        cassettes: expect.stringMatching(/shakedown.cassettes$/),
      },
    ],
    jobs: [{ kind: 'job', name: 'migrate', after: ['db'], withinMs: 120_000, cwd: system.folder }],
    rosters: { butlers: ['finance', 'health'] },
    secrets: ['ANTHROPIC_API_KEY', 'TELEGRAM_TOKEN'],
    logs: { error: '\\b(ERROR|FATAL)\\b|Traceback' },
    gates: { pr: { priority: ['p0'], skips: 'forbid' }, nightly: { priority: ['p0', 'p1'] } },
    boot: { withinMs: 120_000 },
    teardown: { withinMs: 20_000 },
  });
  expect(serviceOf(system, 'switchboard')).toMatchObject({
    after: ['db', 'migrate', 'finance', 'health'],
    env: { DATABASE_URL: '${db.url}', BUTLERS: '${butlers.*.url}' },
    ready: { probe: 'http', path: '/health', withinMs: 15_000, inARow: 1 },
    stop: { withinMs: 5_000 },
    reset: 'restart',
  });
  expect(serviceOf(system, 'health')).toMatchObject({ roster: 'butlers', after: ['db', 'migrate'] });
});

test('the teardown has time for all services that stop one after the other', async () => {
  const chain = `name: a
services:
  a: { run: x, stop: { within: 40s } }
  b: { run: x, after: [a] }
  c: { run: x, after: [a, b], stop: { within: 10s } }
`;
  const { teardown } = await loadProject({ 'shakedown.yaml': chain });
  expect(teardown.withinMs).toBe(60_000);
  const declared = await loadProject({ 'shakedown.yaml': `${chain}teardown: { within: 30s }\n` });
  expect(declared.teardown.withinMs).toBe(30_000);
});

test('a minimal config and its defaults', async () => {
  const system = await loadProject({ 'shakedown.yaml': 'name: a\nservices: { web: { run: echo hi } }\n' });
  expect(system).toMatchObject({
    trials: ['**/*.{trial,trials}.{yaml,yml}', '**/*.flow.{ts,mts,js,mjs}'],
    resources: [],
    jobs: [],
    rosters: {},
    secrets: [],
    logs: {},
  });
  expect(serviceOf(system, 'web')).toEqual({
    kind: 'service',
    name: 'web',
    run: ['sh', '-c', 'echo hi'],
    cwd: system.folder,
    env: {},
    files: [],
    after: [],
    listen: [],
    ready: { probe: 'started', withinMs: 30_000, inARow: 1 },
    stop: { withinMs: 5_000 },
  });
  expect(JSON.parse(JSON.stringify(system))).toEqual(system);
});

test('`cwd` is absolute, or the own folder of the program', async () => {
  const yaml =
    'name: a\nservices: { a: { run: x, cwd: sub/dir }, b: { run: x, cwd: "${self.dir}" }, c: { run: x, cwd: /tmp } }\n';
  const system = await loadProject({ 'shakedown.yaml': yaml });
  expect(system.services.map(({ cwd }) => cwd)).toEqual([`${system.folder}/sub/dir`, '${self.dir}', '/tmp']);
});

test('problems of one pass are reported together, in file order', async () => {
  const yaml = `name: a
services:
  web: { run: "\${nope.url}", after: [nobody], files: { a: { template: gone } } }
  api: { run: x, ready: { http: / } }
`;
  const shown = await messageOf({ 'shakedown.yaml': yaml });
  expect(shown.match(/yaml:\S+/g)).toEqual(['yaml:3:16', 'yaml:3:38', 'yaml:3:71', 'yaml:4:27']);
});

test.each([
  ['/nowhere/shakedown.yaml', 'config.not-found', 'there is no config /nowhere/shakedown.yaml'],
  ['/tmp', 'config.unreadable', 'the name of the config has no extension'],
  ['/tmp/shakedown.json', 'config.unreadable', 'the name of the config ends with .json'],
])('%s cannot be a config', async (file, code, what) => {
  const error: unknown = await loadSystem({ file }, {}).catch((thrown: unknown) => thrown);
  expect(problemsIn(error)).toMatchObject([{ code, what, exitCode: 2 }]);
});
