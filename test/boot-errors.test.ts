import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { makeProject, type Project } from './harness/project.ts';
import { nothing } from './harness/until.ts';

/** Boots a system that cannot come up, and expects the four parts, the exit code, and nothing left. */
async function failedBoot(project: Project, code: number): Promise<string> {
  const result = await project.run(['up']);
  expect(result.code, result.output).toBe(code);
  expect(result.stderr).toMatch(
    /error\[[a-z.-]+\] .+\n[\s\S]*what {5}.+\n[\s\S]*allowed {2}.+\n[\s\S]*next {5}.+/,
  );
  expect(project.left()).toEqual(nothing);
  return result.stderr;
}

const service = (run: string, rest = ''): string =>
  `name: broken\nservices:\n  web:\n    run: ${run}\n${rest}`;

test('a process that exits at once fails the boot at once, with its last output', async () => {
  const project = makeProject({
    'shakedown.yaml': service(
      '[node, services/exits-at-once.mjs]',
      '    listen: { env: PORT }\n    ready: { http: /, within: 60s }\n',
    ),
  });
  const text = await failedBoot(project, 3);
  expect(text).toContain('error[boot.process-exited] service web, phase ready');
  expect(text).toContain('ended with 3');
  expect(text).toContain('| FATAL cannot read /etc/licence: no such file');
});

test('a service that is never ready is reported with the result of the last check', async () => {
  const project = makeProject({
    'shakedown.yaml': service(
      '[node, services/never-ready.mjs]',
      '    listen: { env: PORT }\n    ready: { http: /health, within: 700ms }\n',
    ),
  });
  const text = await failedBoot(project, 3);
  expect(text).toContain('error[boot.never-ready] service web, phase ready');
  expect(text).toMatch(
    /not ready within 700 ms, after \d+ checks; the last found: GET http:\/\/127\.0\.0\.1:\d+\/health: connect ECONNREFUSED/,
  );
  expect(text).toContain('| still thinking about it');
});

test.each([
  ['a service', '[node, services/tells-its-port.mjs]'],
  ['a child of it', 'node services/tells-its-port.mjs; true'],
])('%s that listens on another port is reported with that port', async (_, run) => {
  const project = makeProject({
    'shakedown.yaml': service(run, '    listen: { env: PORT }\n    ready: { tcp: true, within: 700ms }\n'),
  });
  expect(await failedBoot(project, 3)).toMatch(/The process listens on \d+ instead/);
});

test('all services that time out together are named', async () => {
  const late =
    '{ run: [node, services/never-ready.mjs], listen: { env: PORT }, ready: { tcp: true, within: 600ms } }';
  const project = makeProject({
    'shakedown.yaml': `name: late\nservices:\n  one: ${late}\n  two: ${late}\n`,
  });
  const text = await failedBoot(project, 3);
  expect(text).toContain('service one, phase ready');
  expect(text).toContain('service two, phase ready');
});

test('a service that is ready and then dies fails the boot', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: broken
services:
  web: { run: [node, services/ready-then-dies.mjs], listen: { env: PORT }, ready: { http: / } }
  slow: { run: [node, services/never-ready.mjs], after: [web], ready: { log: never, within: 20s } }
`,
  });
  const text = await failedBoot(project, 3);
  expect(text).toContain('error[boot.died-after-ready] service web');
  expect(text).toContain('| FATAL lost the will to live');
});

test('a missing program is named with the nearest one and where it was looked for', async () => {
  const text = await failedBoot(makeProject({ 'shakedown.yaml': service('[nodee, x.mjs]') }), 3);
  expect(text).toContain('error[world.missing-binary] service web, phase start');
  expect(text).toContain('did you mean `node`?');
  expect(text).toContain('| looked in ');
});

test('a taken port is reported with the process that has it', async () => {
  const holder = createServer();
  const port = await new Promise<number>((resolve) =>
    holder.listen(0, '127.0.0.1', () => resolve((holder.address() as { port: number }).port)),
  );
  try {
    const project = makeProject({
      'shakedown.yaml': service(
        '[node, services/answers.mjs]',
        `    listen: { port: ${port} }\n    env: { PORT: ${port} }\n`,
      ),
    });
    const text = await failedBoot(project, 3);
    expect(text).toContain('error[world.port-taken] service web, phase start');
    expect(text).toContain(`port ${port} is taken by process ${process.pid} (`);
  } finally {
    holder.close();
  }
});

test('a job that fails is named with its output, and nothing after it starts', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: broken
jobs: { migrate: { run: [sh, -c, "echo no such table: users >&2; exit 4"] } }
services: { web: { run: [node, services/answers.mjs], listen: { env: PORT }, after: [migrate] } }
`,
  });
  const result = await project.run(['up']);
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('error[boot.job-failed] job migrate, phase run');
  expect(result.stderr).toContain('| no such table: users');
  expect(result.stdout).not.toContain('service web starts');
  expect(project.left()).toEqual(nothing);
});

test('a job that does not end in time is killed', async () => {
  const project = makeProject({
    'shakedown.yaml': 'name: broken\njobs: { migrate: { run: [sleep, "60"], within: 300ms } }\n',
  });
  expect(await failedBoot(project, 3)).toContain('it had not ended after 300 ms');
});

test('a port that the service never reports is an error that shows the pattern', async () => {
  const project = makeProject({
    'shakedown.yaml': service(
      '[node, services/never-ready.mjs]',
      '    listen: { log: "serving on .*:(\\\\d+)" }\n    ready: { tcp: true, within: 500ms }\n',
    ),
  });
  expect(await failedBoot(project, 3)).toContain(
    'error[boot.port-not-reported] service web, phase ready, listener main',
  );
});

test('a boot that takes too long names what is still missing', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: slow
boot: { within: 800ms }
services: { web: { run: [node, services/never-ready.mjs], ready: { log: never, within: 60s } } }
`,
  });
  const text = await failedBoot(project, 3);
  expect(text).toContain('error[boot.too-slow]');
  expect(text).toContain('service web (starting: until a line of its log matches /never/)');
});

test('a rendered file that is no longer valid is an error that names the template', async () => {
  const project = makeProject({
    'shakedown.yaml': service(
      '[node, services/answers.mjs]',
      '    files: { web.toml: { template: web.toml.tmpl } }\n',
    ),
    'web.toml.tmpl': 'name = ${self.name}\n',
  });
  const text = await failedBoot(project, 2);
  expect(text).toContain('error[template.broken]');
  expect(text).toContain('web.toml.tmpl');
});

test('two `up` in one folder: the second is refused and changes nothing', async () => {
  const project = makeProject({
    'shakedown.yaml': service('[node, services/answers.mjs]', '    listen: { env: PORT }\n'),
  });
  expect((await project.run(['up', '--detach'])).code).toBe(0);
  const second = await project.run(['up']);
  expect(second.code).toBe(2);
  expect(second.stderr).toContain('error[usage.already-up]');
  const status = await project.run(['status', '--json']);
  expect(JSON.parse(status.stdout)).toMatchObject({
    state: 'ready',
    services: [{ name: 'web', state: 'ready' }],
  });
  expect((await project.run(['down'])).code).toBe(0);
  expect(project.left()).toEqual(nothing);
});
