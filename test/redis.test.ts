/** Redis as a resource: its own per environment, fresh between trials, looked into by checks, and nothing of it left. */
import { expect, onTestFinished, test } from 'vitest';
import { connectTo } from './conformance/redis-conformance.ts';
import { startUsersRedis } from './conformance/redis-variants.ts';
import { needs } from './harness/needs.ts';
import { endIfThere } from './harness/project.ts';
import { latestVerdict, performTrials, trialsProject } from './harness/trials-project.ts';
import { isNothing, nothing, until } from './harness/until.ts';

const system = (cache: string): string => `resources:
  cache: ${cache}
jobs:
  fill: { run: [node, services/sends-commands.mjs, RPUSH, queue, first], env: { STORE: "\${cache.url}" } }
services:
  notes:
    run: [node, services/sends-commands.mjs]
    env: { STORE: "\${cache.url}" }
    listen: { env: PORT }
    ready: { http: / }`;

const say = (...words: readonly string[]): string =>
  `- { http: "GET notes/?${words.map((word) => `do=${word}`).join('&')}", expect: { status: 200 } }`;

const trials = {
  pushes: `isolation: fresh
steps:
  ${say('RPUSH', 'queue', '%7B%22to%22:%22ada%22%7D')}
  ${say('DEL', 'old')}
  - until: { redis: cache, key: queue, expect: [{ value: { $length: 2 } }] }
checks:
  queue: { redis: cache, key: "q*", expect: [{ type: list, value: [first, { to: ada }] }] }
  seen: { calls: notes -> cache, where: { method: RPUSH }, expect: [{ path: queue }] }
  else: { changes: [redis], only: [queue] }`,
  again: `isolation: fresh
steps:
  ${say('SET', 'session:1', 'x')}
checks:
  queue: { redis: cache, key: queue, expect: [{ value: [first] }] }
  nobody: { redis: cache, key: "mail:*", expect: [], provenBy: mailed }
  unclaimed: { changes: [redis], only: [queue] }`,
  mailed: `isolation: fresh
steps:
  ${say('SET', 'mail:1', 'x')}
checks:
  mail: { redis: cache, key: "mail:*", expect: [{ key: "mail:1", value: x }] }`,
};

test('a store is as the jobs left it in each trial, and what nobody expected in it fails', async () => {
  needs('redis-server');
  const project = trialsProject(system('{ kind: redis }'), trials);
  const { code, text, verdicts } = await performTrials(project, '--verbose');
  expect(verdicts, text).toEqual({ pushes: 'passed', again: 'failed', mailed: 'passed' });
  expect(code).toBe(1);
  expect(text).toMatch(/unclaimed/);
  expect(text).toContain('session:1');
  expect(text).toMatch(/held: .*nobody/);
  expect(project.left()).toEqual(nothing);
}, 120_000);

test('a step waits until keys are what they should be, or gone, and shows what it saw when they never are', async () => {
  needs('redis-server');
  const gone = '- until: { redis: cache, key: "mail:*", expect: [] }';
  const project = trialsProject(system('{ kind: redis }'), {
    expires: `steps:
  ${say('SET', 'mail:1', 'x', 'PX', '400')}
  - until: { redis: cache, key: "mail:*", expect: [{ value: x }] }
  ${gone}
  ${say('RPUSH', 'queue', 'after')}
checks:
  pushed: { redis: cache, key: queue, expect: [{ value: [first, after] }] }
  none: { redis: cache, key: "mail:*", expect: [], provenBy: mailed }`,
    stays: `steps:
  ${say('SET', 'mail:1', 'x')}
  - until: { redis: cache, key: queue, expect: [{ value: { $length: 2 } }], within: 300ms }
checks:
  mail: { redis: cache, key: "mail:*", count: 1 }`,
    'stays-there': `steps:
  ${say('SET', 'mail:1', 'x')}
  ${gone.replace(' }', ', within: 300ms }')}
checks:
  mail: { redis: cache, key: "mail:*", count: 1 }`,
    mailed: trials.mailed,
  });
  const { code, text, verdicts } = await performTrials(project);
  expect(verdicts, text).toEqual({
    expires: 'passed',
    mailed: 'passed',
    stays: 'failed',
    'stays-there': 'failed',
  });
  expect(code).toBe(1);
  expect(text).toMatch(/length 2 .*length 1: \["first"\]/);
}, 120_000);

test('a database of the user’s own server does the same, and is empty afterwards, also after a crash', async () => {
  needs('redis-server');
  const theirs = await startUsersRedis({ requirepass: 'very-secret-word' });
  onTestFinished(() => theirs.close());
  const link = await connectTo(`${theirs.url}/15`);
  await link.do('SET', 'precious', 1);
  link.close();
  const project = trialsProject(system('{ kind: redis, url: "${env.THEIRS}" }'), trials);
  const env = { THEIRS: theirs.url };
  const run = await project.run(['run'], { env });
  expect(latestVerdict(project).verdicts, run.output).toEqual({
    pushes: 'passed',
    again: 'failed',
    mailed: 'passed',
  });
  expect(await theirs.contents()).toEqual({ 15: ['precious'] });
  const up = await project.run(['up', '--detach', '--containment', 'ledger'], { env });
  expect(up.code, up.output).toBe(0);
  expect(Object.keys(await theirs.contents())).toEqual(['14', '15']);
  for (const { pid } of project.left().processes) endIfThere(pid);
  await until(
    'all of ours are gone',
    10_000,
    () => project.left().processes.length,
    (left) => left === 0,
  );
  await project.run(['status'], { env });
  expect(await theirs.contents()).toEqual({ 15: ['precious'] });
  expect(isNothing(project.left())).toBe(true);
}, 120_000);

test('one that hangs, or dies, during a trial is never an empty list', async () => {
  needs('redis-server');
  const look = 'checks:\n  none: { redis: cache, key: "mail:*", expect: [], provenBy: mailed }\n';
  const broken = (...words: readonly string[]): string => `isolation: fresh
steps:
  - { http: "GET notes/?${words.map((word) => `do=${word}`).join('&')}", expect: { status: { $any: [200, 500] } } }
${look}`;
  const project = trialsProject(system('{ kind: redis }'), {
    hangs: broken('CLIENT', 'PAUSE', '60000', 'ALL'),
    mailed: trials.mailed,
    'then-dies': broken('SHUTDOWN', 'NOSAVE'),
  });
  const { code, text, verdicts } = await performTrials(project);
  expect(verdicts, text).toEqual({ hangs: 'unknown', mailed: 'passed', 'then-dies': 'failed' });
  expect(text).toMatch(/cache does not answer: no answer within 5 s/);
  expect(text).toMatch(/cache.*it died|Redis ended with exit code 0/);
  expect(code).toBe(1);
}, 120_000);

test('a redis that is a service is looked into as well', async () => {
  needs('redis-server');
  const config = `services:
  cache:
    run: [redis-server, --port, "\${self.port}", --bind, 127.0.0.1, --save, "", --dir, "\${self.dir}"]
    listen: { auto: true, scheme: redis }
    ready: { log: Ready to accept }
  notes:
    run: [node, services/sends-commands.mjs]
    env: { STORE: "\${cache.url}" }
    listen: { env: PORT }
    ready: { http: / }`;
  const project = trialsProject(config, {
    mailed: `${trials.mailed}\n  else: { changes: [redis], only: [mail] }`,
  });
  const { text, verdicts } = await performTrials(project);
  expect(verdicts, text).toEqual({ mailed: 'passed' });
});

test('what a trial or a config cannot mean is refused before anything starts', async () => {
  const unknown = trialsProject(system('{ kind: redis }'), {
    a: `steps: [{ http: GET notes/ }]\nchecks:\n  none: { redis: cahce, key: x, count: 1 }`,
  });
  const { code, output } = await unknown.run(['run']);
  expect([code, output]).toEqual([2, expect.stringMatching(/`cahce`.*did you mean `cache`/s)]);
  const both = trialsProject(
    system('{ kind: redis, url: "redis://x", settings: { maxmemory: 1mb } }'),
    trials,
  );
  const refused = await both.run(['up']);
  expect([refused.code, refused.output]).toEqual([2, expect.stringContaining('`url`, or `settings`')]);
});

test('a service that is a Redis with a password in its command is looked at with it', async () => {
  needs('redis-server');
  const config = `services:
  cache:
    run: [redis-server, --port, "\${self.port}", --requirepass, "p@ss w?rd", --save, ""]
    listen: { auto: true, scheme: redis }
`;
  const project = trialsProject(config, {
    kept: `steps: [{ command: [redis-cli, -u, "\${cache.url}", -a, "p@ss w?rd", SET, a, "1"] }]
checks: { there: { redis: cache, key: a, count: 1 } }`,
  });
  const run = await project.run(['run']);
  expect(run.code, run.output).toBe(0);
});
