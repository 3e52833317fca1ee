/** Every observer of the table passes the suite. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import type { ObserverContext } from '../../src/observers/observer.ts';
import { observerLimits } from '../../src/observers/observer-limits.ts';
import { sqliteUrl } from '../../src/resources/sqlite/sqlite-url.ts';
import { telemetryLimits } from '../../src/resources/telemetry/telemetry-limits.ts';
import { checkKeys, hasObserver } from '../../src/trials/kinds/check-table.ts';
import type { LiveEnvironment } from '../../src/trials/perform/live-environment.ts';
import { lookByCommand } from '../../src/trials/perform/look-by-command.ts';
import { needs } from '../harness/needs.ts';
import { driverContext } from './driver-context.ts';
import { useObservedDatabase } from './observer-database.ts';
import { makeCall, makeObserverSetup, makeSpan, type ObserverSetup } from './observer-setup.ts';
import { type ObserverVariant, observerSuite } from './observer-suite.ts';
import { connectTo } from './redis-conformance.ts';
import { startUsersRedis, type UsersRedis } from './redis-variants.ts';

const database = useObservedDatabase();

/** Nothing listens on port 1. */
const nowhere = { resource: 'gone', service: 'general', url: 'postgresql://a:b@127.0.0.1:1/c', schema: null };

const tables = `
  DROP SCHEMA IF EXISTS health, general CASCADE; CREATE SCHEMA health; CREATE SCHEMA general;
  CREATE TABLE health.symptoms (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text, severity int);
  INSERT INTO health.symptoms (name, severity) VALUES ('cough', 3)`;

async function stageWithTables(): Promise<ObserverSetup> {
  await database.query(tables);
  const setup = makeObserverSetup();
  setup.databases.push(...database.places());
  return setup;
}

const headache = "INSERT INTO health.symptoms (name, severity) VALUES ('headache', 7)";
const flood = (count: number): string =>
  `INSERT INTO health.symptoms (name, severity) SELECT 'one of many', 1 FROM generate_series(1, ${count})`;

const rows: ObserverVariant = {
  name: 'rows',
  setup: async () => {
    const setup = await stageWithTables();
    setup.databases.splice(1, 1, nowhere);
    return setup;
  },
  query: { service: 'health', table: 'symptoms' },
  otherCondition: { service: 'health', table: 'symptoms', where: { name: 'headache' } },
  happen: async () => void (await database.query(headache)),
  seen: [{ name: 'cough' }, { name: 'headache', severity: 7 }],
  away: [
    [{ service: 'health', table: 'symptom' }, 'later', /no table symptom; did you mean symptoms\?/],
    [{ service: 'helth', table: 'symptoms' }, 'never', /did you mean health\?/],
    [{ service: 'general', table: 'notes' }, 'later', /does not answer.*ECONNREFUSED/],
    [
      { service: 'health', table: 'symptoms', where: { nam: 'x' } },
      'never',
      /no column nam; did you mean name\?/,
    ],
    [
      { service: 'health', table: 'symptoms', where: { name: { $regx: 'x' } } },
      'never',
      /unknown operator \$regx/,
    ],
  ],
  flood: async () => void (await database.query(flood(observerLimits.elements))),
  traces: () => database.query('SELECT xmin::text, * FROM health.symptoms ORDER BY id'),
  held: () => database.observing(),
};

/** The same of a database in a file. */
const rowsOfFile: ObserverVariant = {
  name: 'rows',
  setup: async () => {
    const setup = makeObserverSetup();
    const file = databaseFile(setup);
    mkdirSync(path.dirname(file), { recursive: true });
    inFile(
      setup,
      'CREATE TABLE symptoms (name TEXT, severity INT)',
      "INSERT INTO symptoms VALUES ('cough', 3)",
    );
    setup.databases.push({ resource: 'db', service: null, url: sqliteUrl(file), schema: 'main' });
    return setup;
  },
  query: { service: 'health', table: 'symptoms' },
  otherCondition: { service: 'health', table: 'symptoms', where: { name: 'headache' } },
  happen: (setup) => inFile(setup, "INSERT INTO symptoms VALUES ('headache', 7)"),
  seen: rows.seen,
  away: [
    [{ service: 'db', table: 'symptom' }, 'later', /no table symptom; did you mean symptoms\?/],
    [{ service: 'dbb', table: 'symptoms' }, 'never', /did you mean db\?/],
    [{ service: 'db', table: 'symptoms', where: { nam: 'x' } }, 'never', /did you mean name\?/],
  ],
  flood: (setup) =>
    inFile(
      setup,
      `INSERT INTO symptoms WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c
       WHERE n < ${observerLimits.elements}) SELECT 'one of many', 1 FROM c`,
    ),
  traces: (setup) => filesIn(path.dirname(databaseFile(setup))),
  held: async (setup) => readdirSync(path.join(setup.folder, 'db')).length - 1,
};

function databaseFile({ folder }: ObserverSetup): string {
  return path.join(folder, 'db', 'data', 'db.sqlite');
}

function inFile(setup: ObserverSetup, ...statements: readonly string[]): void {
  const service = new DatabaseSync(databaseFile(setup));
  for (const statement of statements) service.exec(statement);
  service.close();
}

const changes: ObserverVariant = {
  name: 'changes',
  setup: stageWithTables,
  query: { kinds: ['rows', 'files', 'calls'] },
  happen: async (setup) => {
    await database.query(headache);
    setup.write('general', 'note.txt', 'written');
    setup.calls.push(makeCall('general', 'health', 9));
  },
  seen: [
    { kind: 'row', service: 'health', table: 'symptoms', op: 'inserted', row: { name: 'headache' } },
    { kind: 'file', service: 'general', path: 'note.txt', op: 'created' },
    { kind: 'call', from: 'general', to: 'health', crossing: 1 },
  ],
  away: [[{ kinds: ['row'] }, 'never', /did you mean rows\?/]],
  flood: async () => void (await database.query(flood(observerLimits.elements + 1))),
  traces: (setup) => Promise.all([rows.traces(setup), filesIn(setup.service('general').folders.dir)]),
  held: () => database.observing(),
};

const files: ObserverVariant = {
  name: 'files',
  setup: async () => makeObserverSetup(),
  query: { service: 'health', path: 'out/**/*.json', as: 'json' },
  otherCondition: { service: 'health', path: 'out/**/*.json', as: 'hash', where: { bytes: 9 } },
  happen: (setup) => void setup.write('health', 'out/a/b.json', '{"a":[1]}'),
  seen: [{ path: 'out/a/b.json', bytes: 9, json: { a: [1] } }],
  away: [
    [{ service: 'helth' }, 'never', /did you mean health\?/],
    [{ service: 'health', as: 'jsn' }, 'never', /did you mean json\?/],
    [{ service: 'health', path: '../general/**' }, 'never', /leads out of its folder/],
    [{ path: 'tmp:x' }, 'never', /no service is named/],
  ],
  flood: (setup) => {
    for (let n = 0; n <= observerLimits.elements; n += 1)
      setup.write('health', `out/${n % 50}/${n}.json`, '1');
  },
  traces: (setup) => filesIn(setup.service('health').folders.dir),
};

const logs: ObserverVariant = {
  name: 'logs',
  setup: async () => makeObserverSetup(),
  query: { service: 'health' },
  otherCondition: { service: 'health', match: 'ERROR' },
  happen: (setup) => appendFileSync(setup.service('health').logFile, 'INFO one\nERROR two\nunfinished'),
  seen: [
    { line: 1, text: 'INFO one' },
    { line: 2, text: 'ERROR two' },
    { line: 3, text: 'unfinished' },
  ],
  away: [
    [{ service: 'helth' }, 'never', /did you mean health\?/],
    [{ service: 'health', match: '(' }, 'never', /not a valid regular expression/],
  ],
  flood: (setup) =>
    appendFileSync(setup.service('health').logFile, 'x\n'.repeat(observerLimits.elements + 1)),
  traces: (setup) => readFileSync(setup.service('health').logFile, 'utf8'),
};

const events: ObserverVariant = {
  name: 'events',
  setup: async () => {
    const setup = makeObserverSetup();
    setup.write('health', 'events.jsonl', '{"type":"old"}\n');
    return setup;
  },
  query: { service: 'health', file: 'events.jsonl' },
  otherCondition: { service: 'health', file: 'events.jsonl', where: { type: 'new' } },
  happen: (setup) =>
    appendFileSync(
      path.join(setup.service('health').folders.dir, 'events.jsonl'),
      '{"type":"new"}\noops\n{"torn',
    ),
  seen: [{ type: 'new' }, { $eq: { $broken: 'oops' } }],
  away: [
    [{ service: 'helth', file: 'x' }, 'never', /did you mean health\?/],
    [{ service: 'health', file: '{x' }, 'never', /not a valid glob/],
  ],
  flood: (setup) =>
    void setup.write('health', 'events.jsonl', '{"type":"old"}\n'.repeat(observerLimits.elements + 2)),
  traces: (setup) => filesIn(setup.service('health').folders.dir),
};

let store: UsersRedis | undefined;
afterAll(() => store?.close());

/** Each time, the store is empty but for one key. */
async function stageWithKeys(): Promise<ObserverSetup> {
  needs('redis-server');
  store ??= await startUsersRedis();
  const link = await connectTo(store.url);
  await link.ask([['FLUSHALL'], ['RPUSH', 'queue', '{"id":1}']]);
  link.close();
  const setup = makeObserverSetup();
  setup.stores.push(
    { resource: 'cache', url: store.url, isWhole: true },
    { resource: 'gone', url: 'redis://127.0.0.1:1', isWhole: false },
  );
  return setup;
}

async function tell(...commands: readonly (readonly (string | number)[])[]): Promise<readonly unknown[]> {
  const link = await connectTo(store?.url);
  const replies = await link.ask(commands);
  link.close();
  return replies;
}

const redis: ObserverVariant = {
  name: 'redis',
  setup: stageWithKeys,
  query: { store: 'cache', key: '*' },
  otherCondition: { store: 'cache', key: '*', where: { type: 'list' } },
  happen: async () => void (await tell(['RPUSH', 'queue', 'two'], ['HSET', 'map', 'a', 1])),
  seen: [
    { key: 'map', type: 'hash', value: { a: '1' } },
    { key: 'queue', type: 'list', value: [{ id: 1 }, 'two'] },
  ],
  away: [
    [{ store: 'cach' }, 'never', /did you mean cache\?/],
    [{ store: 'health' }, 'later', /it has no listener now/],
    [{ store: 'gone' }, 'later', /does not answer.*ECONNREFUSED/],
    [{ store: 'gone', database: 3 }, 'never', /only 0 does/],
    [{ store: 'cache', database: 99 }, 'never', /out of range/],
    [{ store: 'cache', where: { typ: 'x' } }, 'never', /did you mean type\?/],
    [{ store: 'cache', where: { value: { $regx: 'x' } } }, 'never', /unknown operator \$regx/],
  ],
  flood: async () =>
    void (await tell(['RPUSH', 'many', ...Array.from({ length: observerLimits.elements }, () => 1)])),
  traces: async () => JSON.stringify(await tell(['DBSIZE'], ['LRANGE', 'queue', 0, -1], ['HGETALL', 'map'])),
  held: async () => {
    const [clients] = await tell(['CLIENT', 'LIST']);
    return String(clients).trim().split('\n').length - 1;
  },
};

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

const processes: ObserverVariant = {
  name: 'process',
  setup: async () => {
    const setup = makeObserverSetup();
    const program = "setInterval(() => {}, 1000); console.log('at work')";
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
    children.push(child);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    setup.service('health').pid = child.pid ?? null;
    return setup;
  },
  query: { service: 'health' },
  happen: (setup) => {
    setup.service('health').starts += 2;
  },
  seen: { running: true, pid: { $type: 'integer' }, restarts: 2, rss: { $gt: '1MB' } },
  away: [[{ service: 'helth' }, 'never', /did you mean health\?/]],
  traces: (setup) => setup.service('health').pid,
  steady: (value) => ({ ...(value as object), rss: 0, rssGrowth: 0, fds: 0, fdGrowth: 0 }),
};

const calls: ObserverVariant = {
  name: 'calls',
  setup: async () => {
    const setup = makeObserverSetup();
    const shims = path.join(setup.folder, 'shims');
    mkdirSync(shims);
    setup.service('health').shims = { shell: shims };
    return setup;
  },
  query: { from: '*', to: '*' },
  otherCondition: { from: '*', to: '*', where: { crossing: 1 } },
  happen: (setup) => {
    setup.calls.push(makeCall('general', 'health', 41), makeCall('general', 'health', 42));
    writeFileSync(path.join(setup.folder, 'shims', '1754000000000-7.call'), 'ls\0-l');
  },
  seen: [
    { from: 'general', to: 'health', crossing: 1, status: 200 },
    { from: 'general', to: 'health', crossing: 2 },
    { from: 'health', to: 'shell', crossing: 1, protocol: 'command', argv: ['ls', '-l'] },
  ],
  away: [[{ from: '*', to: '*', where: { crossing: { $lte: null } } }, 'never', /has no order/]],
  flood: (setup) => {
    for (let n = 1; n <= observerLimits.elements + 1; n += 1)
      setup.calls.push(makeCall('general', 'health', n));
  },
  traces: (setup) => [setup.calls.length, filesIn(path.join(setup.folder, 'shims'))],
};

const spans: ObserverVariant = {
  name: 'spans',
  setup: async () => makeObserverSetup(),
  query: { service: 'health' },
  otherCondition: { service: 'health', where: { name: 'order' } },
  happen: (setup) => void setup.spans.push(makeSpan('order'), makeSpan('other', { service: 'general' })),
  seen: [{ name: 'order', service: 'health' }],
  away: [
    [{ where: { nam: 'x' } }, 'never', /nam/],
    [{ where: { durationMs: { $lte: null } } }, 'never', /has no order/],
  ],
  flood: (setup) => {
    for (let n = 0; n <= telemetryLimits.spans; n += 1) setup.spans.push(makeSpan('one of many'));
  },
  traces: (setup) => setup.spans.length,
};

const command: ObserverVariant = {
  name: 'command',
  setup: async () => {
    const setup = makeObserverSetup();
    const { systemFolder: folder } = setup.context;
    const context = { ...setup.context, runCommand: runIn(setup, folder) };
    return { ...setup, context };
  },
  query: { command: ['cat', 'said'] },
  otherCondition: { command: ['cat', 'said'], stdin: 'x' },
  happen: ({ context }) => writeFileSync(path.join(context.systemFolder, 'said'), '{"a":1}'),
  seen: { exitCode: 0, stdout: '{"a":1}', json: { a: 1 }, durationMs: { $absent: true } },
  away: [[{ command: ['no-such-program-anywhere'] }, 'never', /was not found on PATH/]],
  traces: ({ context }) => readdirSync(context.systemFolder),
};

function runIn({ context }: ObserverSetup, folder: string): NonNullable<ObserverContext['runCommand']> {
  return async (spec) => {
    const driving = { ...driverContext({ folder, scratch: folder }), signal: context.signal };
    const environment = { system: { folder } } as unknown as LiveEnvironment;
    return lookByCommand(environment, driving, spec);
  };
}

const variants = [rows, redis, files, logs, events, processes, calls, spans, changes, command];
for (const variant of [...variants, rowsOfFile]) observerSuite(variant);

test('every observer of the table is among them', () => {
  expect(variants.map(({ name }) => name).sort()).toEqual(checkKeys().filter(hasObserver).toSorted());
});

/** What a look might have changed: names, contents and dates. */
function filesIn(folder: string): unknown {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const { mtimeMs, ctimeMs, mode } = statSync(file);
      return [file, mtimeMs, ctimeMs, mode, readFileSync(file, 'utf8')];
    });
}
