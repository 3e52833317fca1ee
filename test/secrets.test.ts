import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readJournal } from '../src/journal/reader.ts';
import { endIfThere, makeProject, type Project } from './harness/project.ts';
import { until } from './harness/until.ts';

test('a secret that code put into the config is not in the plan, and reaches its service, in any form', async () => {
  const key = "sk-it's%ss/w@rd&7";
  const isRight = "process.env.KEY === '$' + process.env.id && process.env.DSN === encodeURI(process.env.id)";
  const project = makeProject({
    'shakedown.config.ts': `const S = process.env.API_KEY;
export default {
  name: 'coded',
  secrets: ['API_KEY'],
  services: { web: { run: ['node', '-e', ${JSON.stringify(`console.log(${isRight} ? 'got ' + process.env.id.length : 'no'); setInterval(() => {}, 1000)`)}],
    env: { KEY: '$' + S, DSN: encodeURI(S), id: S }, ready: { log: 'got 17' } } },
};
`,
  });
  const result = await project.run(['up', '--', 'sh', '-c', 'exit 3', `--key=${key}`], {
    env: { API_KEY: key },
  });
  expect(result.code, result.output).toBe(1);
  expect(result.output).toContain('ended with 3');
  expect(result.output).not.toContain(key);
  const plan = readFileSync(path.join(project.folder, '.shakedown/latest/plan.json'), 'utf8');
  expect(plan).not.toMatch(/sk-it/);
  expect(plan).toContain('$‹secret:API_KEY›');
});

test('secrets that are words of the product, of the config, or the year break neither boot nor journal', async () => {
  const year = String(new Date().getFullYear());
  const words = ['node', 'type', '1000', 'ready', 'services', 'SIGTERM', 'WORD3', 'postgres', 'http', year];
  const names = words.map((_, index) => `WORD${index}`);
  const project = makeProject({
    'shakedown.yaml': `name: wordy
secrets: [${names.join(', ')}]
resources: { postgres: { kind: http, because: a name } }
services: { web: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { A: "\${env.WORD3}" }, ready: { http: / } } }
`,
  });
  const ask =
    'Promise.all(Array.from({ length: 30 }, () => fetch(process.env.SHAKEDOWN_WEB_URL).then((r) => r.text())))';
  const env = Object.fromEntries(words.map((word, index) => [names[index] ?? '', word]));
  const linted = await project.run(['lint'], { env });
  // All but `type` and `SIGTERM`, which the config does not set.
  expect(linted.output.match(/weak-secret {2}the secret /g), linted.output).toHaveLength(words.length - 2);
  const result = await project.run(['up', '--', 'node', '-e', ask], { env });
  expect(result.code, result.output).toBe(0);
  const { events } = await readJournal(path.join(project.folder, '.shakedown/latest/events.ndjson'));
  expect(events.filter(({ type }) => type === 'node.ready')).toHaveLength(2);
  expect(events.filter(({ type }) => type === 'connection.closed').length).toBeGreaterThan(0);
});

test('logs does not show a secret, not even while the service is up', async () => {
  const project = makeProject({
    'trials/one.trial.yaml':
      'id: one\nisolation: shared\nsteps: [{ command: [node, -v] }]\nchecks: { l: { logs: web, count: 0 } }\n',
    'shakedown.yaml': `name: loud
secrets: [API_KEY]
services: { web: { run: [node, -e, "console.log('the key is ' + process.env.KEY); setInterval(() => {}, 1000)"], env: { KEY: "\${env.API_KEY}" }, ready: { log: the key } } }
`,
  });
  const env = { API_KEY: 'sk-very-secret-123' };
  await project.run(['up', '--detach'], { env });
  expect((await project.run(['logs'], { env })).stdout).toBe('web | the key is ‹secret:API_KEY›\n');
  // With other values, the original ones could not be redacted.
  const rotated = { API_KEY: 'sk-rotated-456' };
  for (const [words, other] of [
    [['logs'], {}],
    [['logs', '--json'], rotated],
    [['run', '--attach'], rotated],
  ] as const) {
    const { code, output } = await project.run(words, { env: other });
    expect(code, output).toBe(2);
    expect(output).toContain('usage.other-secrets');
    expect(output).not.toContain('sk-very-secret-123');
  }
  await project.run(['down'], { env });
  expect((await project.run(['logs'], { env: {} })).stdout).toBe('web | the key is ‹secret:API_KEY›\n');
});

test('errors about a config show no secret of it', async () => {
  const key = 'sk-very-secret-123';
  const config = (parts: string): string =>
    `const S = process.env.API_KEY;\nexport default { name: 'x', secrets: ['API_KEY'], services: { a: { run: ['x'], ${parts} } } };\n`;
  const project = makeProject({ 'shakedown.config.ts': '' });
  for (const parts of ['listen: { port: S }', 'after: [S]', '[S]: 1', "env: { A: '${' + S + '}' }"]) {
    writeFileSync(path.join(project.folder, 'shakedown.config.ts'), config(parts));
    for (const words of [['lint'], ['up', '--json', '--', 'true']]) {
      const { code, output } = await project.run(words, { env: { API_KEY: key } });
      expect(code, output).toBe(2);
      expect(output).toContain('‹secret:API_KEY›');
      expect(output).not.toContain(key);
    }
  }
});

const loud = `name: loud
secrets: [API_KEY]
services: { web: { run: [node, -e, "console.log('the key is ' + process.env.KEY); setInterval(() => {}, 1000)"], env: { KEY: "\${env.API_KEY}" }, ready: { log: the key } } }
`;

function webLog(project: Project): string {
  return readFileSync(path.join(project.folder, '.shakedown/latest/services/web.log'), 'utf8');
}

async function untilAllDead(project: Project): Promise<void> {
  await until(
    'all are dead',
    10_000,
    () => project.left().processes,
    (left) => left.length === 0,
  );
}

test.each([
  ['are no longer known', {}, 'removed after a crash: API_KEY was not set'],
  [
    'were changed meanwhile',
    { API_KEY: 'sk-rotated-456' },
    'removed after a crash: API_KEY had another value',
  ],
  ['are still the same', { API_KEY: 'sk-very-secret-123' }, 'the key is ‹secret:API_KEY›'],
])('after a crash of all, a log whose secrets %s does not show them', async (_, env, expected) => {
  const project = makeProject({ 'shakedown.yaml': loud });
  await project.run(['up', '--detach', '--containment', 'ledger'], {
    env: { API_KEY: 'sk-very-secret-123' },
  });
  for (const { pid } of project.left().processes) endIfThere(pid);
  await untilAllDead(project);
  await project.run(['down'], { env });
  expect(webLog(project)).toContain(expected);
  expect(webLog(project)).not.toContain('sk-very-secret-123');
});

test('the log of a project that was moved while it is up does not keep its secrets', async () => {
  const project = makeProject({ 'shakedown.yaml': loud });
  const up = project.start(['up'], { API_KEY: 'sk-very-secret-123' });
  const ended = once(up, 'exit');
  const logOf = (folder: string): string => path.join(folder, '.shakedown/latest/services/web.log');
  await until(
    'the key is logged',
    20_000,
    () => (existsSync(logOf(project.folder)) ? readFileSync(logOf(project.folder), 'utf8') : ''),
    (log) => log.includes('sk-very-secret-123'),
  );
  const moved = `${project.folder}-moved`;
  renameSync(project.folder, moved);
  up.kill('SIGINT');
  await ended;
  expect(readFileSync(logOf(moved), 'utf8')).toMatch(/\nthe key is ‹secret:API_KEY›\n$/);
});

test.each([
  ['is gone, as after a reboot', 'removed after a crash: API_KEY may have had another value'],
  ['is another one now', 'the key is ‹secret:API_KEY›'],
])(
  'after a crash of all, a log does not show its secrets when the temporary folder %s',
  async (how, expected) => {
    const project = makeProject({ 'shakedown.yaml': loud });
    const env = { API_KEY: 'sk-very-secret-123' };
    await project.run(['up', '--detach', '--containment', 'ledger'], { env });
    expect(webLog(project)).toContain('sk-very-secret-123');
    for (const { pid } of project.left().processes) endIfThere(pid);
    await untilAllDead(project);
    if (how.startsWith('is gone'))
      for (const name of readdirSync(project.tmp)) rmSync(path.join(project.tmp, name), { recursive: true });
    const other = path.join(project.folder, 'elsewhere');
    mkdirSync(other);
    utimesSync(path.join(project.folder, '.shakedown/latest/keeper.sock'), 1, 1); // some minutes later
    const status = await project.run(['status'], { env: { ...env, TMPDIR: other } });
    expect(status.output).toContain('removed what the crashed environment');
    expect(webLog(project)).toContain(expected);
    expect(webLog(project)).not.toContain('sk-very-secret-123');
    expect(readdirSync(project.tmp)).toEqual([]);
    const again = await project.run(['down'], { env: { ...env, TMPDIR: other } });
    expect([again.code, again.output]).toEqual([0, 'nothing is up here\n']);
  },
);

test.each(['ledger', 'namespace'])(
  'after a crash of the keeper, the guard still knows the secret, with %s',
  async (containment) => {
    const project = makeProject({ 'shakedown.yaml': loud });
    const up = await project.run(['up', '--detach', '--containment', containment], {
      env: { API_KEY: 'sk-very-secret-123' },
    });
    expect(up.code, up.output).toBe(0);
    const keeper = project
      .left()
      .processes.find(({ commandLine }) => /^shakedown-keeper|keeper-main/.test(commandLine));
    endIfThere(keeper?.pid ?? 0);
    await untilAllDead(project);
    expect(webLog(project)).toMatch(/\nthe key is ‹secret:API_KEY›\n$/);
  },
);

test('no process of ours exposes a secret of the host to other processes', async () => {
  const project = makeProject({ 'shakedown.yaml': loud });
  const env = { API_KEY: 'sk-very-secret-123', AWS_SECRET_ACCESS_KEY: 'undeclared-789' };
  const up = await project.run(['up', '--detach'], { env });
  expect(up.code, up.output).toBe(0);
  const shows = (pid: number, value: string): boolean =>
    ['environ', 'cmdline'].some((name) => readFileSync(`/proc/${pid}/${name}`, 'latin1').includes(value));
  const processes = project.left().processes;
  expect(processes.length).toBeGreaterThan(2);
  expect(processes.filter(({ pid }) => shows(pid, 'undeclared-789'))).toEqual([]);
  expect(
    processes.filter(({ pid }) => shows(pid, 'sk-very-secret-123')).map(({ commandLine }) => commandLine),
  ).toEqual([expect.stringContaining('node -e')]);
  const files = readdirSync(project.tmp, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of files)
    expect(readFileSync(path.join(parentPath, name), 'latin1'), name).not.toContain('sk-very-secret-123');
  await project.run(['down'], { env });
});
