import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { binary, makeProject, type Project } from './harness/project.ts';
import { isNothing, nothing, until } from './harness/until.ts';

interface Shown {
  readonly checks: ReadonlyArray<{ name: string; state: string; detail: string; next: string | null }>;
  readonly errors: ReadonlyArray<{ code: string; what: string; allowed: string; next: string }>;
  readonly exitCode: number;
}

async function shown(project: Project, env: Readonly<Record<string, string>> = {}): Promise<Shown> {
  const { code, stdout, output } = await project.run(['doctor', '--json'], { env });
  expect(stdout, output).toMatch(/^\{.*\}\n$/);
  const answer = JSON.parse(stdout) as Shown;
  expect(answer.exitCode).toBe(code);
  return answer;
}

function stateOf({ checks }: Shown, name: string): string {
  const found = checks.find((check) => check.name === name);
  return `${found?.state}: ${found?.detail}`;
}

/** A folder for PATH with fake programs, each a shell script. */
function programs(project: Project, scripts: Readonly<Record<string, string>>): string {
  const folder = path.join(project.folder, 'programs');
  mkdirSync(folder);
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  return folder;
}

function before(folder: string): string {
  return `${folder}${path.delimiter}${process.env.PATH}`;
}

const web =
  'services:\n  web: { run: [node, services/answers.mjs], listen: { env: PORT }, ready: { http: /health } }\n';

test('on a machine with everything that is required, doctor says so and ends with 0', async () => {
  const { code, stdout, stderr } = await makeProject({}).run(['doctor']);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(
    `yes       node               ${process.version} on ${process.platform} ${process.arch}\n`,
  );
  expect(stdout).toMatch(/^yes {7}free ports {9}for example \d+/m);
  expect(stdout).toMatch(/^yes {7}temporary disk {5}[\d.]+ GB free/m);
  expect(stdout).toMatch(/^optional {2}config .*\n +next: shakedown init/m);
  expect(stdout.endsWith('\neverything that is required is here\n')).toBe(true);
});

test('with nothing on PATH, the shell is missing, the rest is optional, and all show how to install it', async () => {
  const project = makeProject({});
  const answer = await shown(project, { PATH: programs(project, {}) });
  expect(answer.exitCode).toBe(3);
  expect(stateOf(answer, 'shell')).toContain('missing: not on PATH: sh, mkfifo');
  for (const name of ['docker engine', 'git', 'tmux', 'chromium', 'redis-server', 'nats-server']) {
    expect(stateOf(answer, name)).toMatch(/^optional-missing: .*; for /);
  }
  const silent = answer.checks.filter(({ state, next }) => state !== 'ok' && !next);
  expect(silent).toEqual([]);
  const { code, stdout } = await project.run(['doctor'], {
    env: { PATH: path.join(project.folder, 'programs') },
  });
  expect(code).toBe(3);
  expect(stdout).toMatch(/^no {8}shell .*\n +next: put \/bin and \/usr\/bin on PATH/m);
  expect(stdout.endsWith('\nrequired and missing: shell\n')).toBe(true);
});

test('an invalid config is shown with its four parts, and wins over what is missing', async () => {
  const project = makeProject({ 'shakedown.yaml': 'name: ship\nservises: {}\n' });
  const { code, stdout } = await project.run(['doctor'], { env: { PATH: programs(project, {}) } });
  expect(code).toBe(2);
  expect(stdout).toMatch(/^broken {4}config /m);
  expect(stdout).toContain(`error[config.unknown-key] ${path.join(project.folder, 'shakedown.yaml')}:2:1\n`);
  expect(stdout).toMatch(/^ {2}what .*servises.*\n {2}allowed .*services.*\n {2}next .*services/m);
  expect(stdout.endsWith('\nrequired and missing: shell; broken: config\n')).toBe(true);
});

test('a config that was named but does not exist is broken', async () => {
  const { code, stdout } = await makeProject({}).run(['doctor', '--config', 'nowhere.yaml']);
  expect(code).toBe(2);
  expect(stdout).toContain('error[config.not-found]');
});

test('a program that the config starts and that cannot be found is missing', async () => {
  const project = makeProject({ 'shakedown.yaml': `name: ship\n${web}  cook: { run: [no-such-cook] }\n` });
  const answer = await shown(project);
  expect(answer.exitCode).toBe(3);
  expect(stateOf(answer, 'config')).toContain('ok: ');
  expect(stateOf(answer, 'its programs')).toBe('missing: cook: the program `no-such-cook` was not found');
});

test('a docker that does not answer is killed with its children', async () => {
  const project = makeProject({});
  // The client waits in a child process, which holds the pipe that we read.
  const folder = programs(project, { docker: 'sleep 600 & wait' });
  const startedAt = performance.now();
  const answer = await shown(project, { PATH: before(folder) });
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(answer.exitCode).toBe(0);
  expect(stateOf(answer, 'docker engine')).toBe('optional-missing: no answer within 5.00 s');
  expect(answer.checks.find(({ name }) => name === 'docker engine')?.next).toBe(
    'try it by hand: docker version',
  );
  await until('everything has ended', 2_000, () => project.left(), isNothing);
});

test('an interrupted doctor ends at once and nothing keeps running', async () => {
  const project = makeProject({});
  const folder = programs(project, { docker: `echo started >> ${project.folder}/asked; sleep 600 & wait` });
  const env = { ...process.env, ...project.env, PATH: before(folder) };
  const child = spawn(process.execPath, [binary, 'doctor'], { cwd: project.folder, env, stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await until('docker is asked', 10_000, () => existsSync(path.join(project.folder, 'asked')), Boolean);
  child.kill('SIGTERM');
  const startedAt = performance.now();
  expect(await ended).toBe(143);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  await until('everything has ended', 2_000, () => project.left(), isNothing);
});

test('a client without an engine is distinguished from a missing docker', async () => {
  const project = makeProject({});
  const folder = programs(project, { docker: 'echo "Cannot connect to the Docker daemon" >&2; exit 1' });
  const answer = await shown(project, { PATH: before(folder) });
  expect(stateOf(answer, 'docker engine')).toContain(`optional-missing: ${folder}/docker reaches no engine`);
  expect(stateOf(answer, 'docker engine')).toContain('Cannot connect to the Docker daemon');
});

test('an engine that answers is found', async () => {
  const project = makeProject({});
  const folder = programs(project, {
    docker: 'case $1 in version) echo 27.3.1 ;; *) echo "unknown command" >&2; exit 1 ;; esac',
  });
  const answer = await shown(project, { PATH: before(folder) });
  expect(stateOf(answer, 'docker engine')).toBe('ok: 27.3.1');
});

test('a program that exists but does not run counts as missing', async () => {
  const project = makeProject({});
  const folder = programs(project, {
    tmux: 'echo "libevent.so: cannot open shared object file" >&2; exit 127',
    chromium:
      'echo "chromium: 9: [: 25275441152: unexpected operator" >&2; sleep 0.05; echo "Chromium 156.0.1"',
  });
  const answer = await shown(project, { PATH: before(folder) });
  expect(stateOf(answer, 'tmux')).toContain(`${folder}/tmux exists but does not run: libevent.so`);
  expect(stateOf(answer, 'chromium')).toBe('ok: Chromium 156.0.1');
});

test('without PID namespaces it reports what is used instead, and how to allow them', async () => {
  needs('linux');
  const project = makeProject({});
  const folder = programs(project, {
    unshare: 'echo "unshare: unshare failed: Operation not permitted" >&2; exit 1',
  });
  const answer = await shown(project, { PATH: before(folder) });
  expect(answer.exitCode).toBe(0);
  expect(stateOf(answer, 'pid namespaces')).toBe(
    'optional-missing: unshare: unshare failed: Operation not permitted; a ledger and a guard process are used instead',
  );
  expect(answer.checks.find(({ name }) => name === 'pid namespaces')?.next).toMatch(
    /sysctl|--cap-add SYS_ADMIN/,
  );
});

test('a temporary folder without free space is missing', async () => {
  needs('linux');
  const answer = await shown(makeProject({}), { TMPDIR: '/proc' }); // which never has any free space
  expect(answer.exitCode).toBe(3);
  expect(stateOf(answer, 'temporary disk')).toMatch(
    /^missing: (?:0 B free in \/proc|nothing can be written)/,
  );
});

test('a temporary folder in which any user may replace our files is reported', async () => {
  const project = makeProject({});
  chmodSync(project.tmp, 0o777);
  expect(stateOf(await shown(project), 'temporary disk')).toMatch(
    /; any user may replace your files in it: chmod \+t /,
  );
  chmodSync(project.tmp, 0o1777);
  expect(stateOf(await shown(project), 'temporary disk')).not.toContain('chmod');
});

test('a running environment is reported; leftovers of a crash are removed and reported', async () => {
  const project = makeProject({ 'shakedown.yaml': `name: ship\n${web}` });
  const booted = await project.run(['up', '--detach', '--json', '--containment', 'ledger']);
  expect(booted.code, booted.output).toBe(0);
  const { keeper, environment, run } = JSON.parse(booted.stdout) as {
    keeper: { pid: number; guardPid: number };
    environment: string;
    run: string;
  };
  expect(stateOf(await shown(project), 'environment')).toBe(
    `ok: up and ready: run ${run}, 1 services, keeper ${keeper.pid}`,
  );

  const ours = [keeper.pid, keeper.guardPid];
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const pid of ours) process.kill(pid, signal);
  const answer = await shown(project);
  expect(answer.exitCode).toBe(0);
  expect(stateOf(answer, 'leftovers')).toBe(
    `ok: removed what crashed environments left: ${environment} (1 processes)`,
  );
  expect(project.left()).toEqual(nothing);
});

test('a keeper that does not answer is reported, with the processes to end', async () => {
  const project = makeProject({ 'shakedown.yaml': `name: ship\n${web}` });
  const booted = await project.run(['up', '--detach', '--json', '--containment', 'ledger']);
  expect(booted.code, booted.output).toBe(0);
  const { keeper } = JSON.parse(booted.stdout) as { keeper: { pid: number; guardPid: number } };
  process.kill(keeper.pid, 'SIGSTOP');
  const answer = await shown(project);
  expect(answer.exitCode).toBe(3);
  expect(stateOf(answer, 'environment')).toBe('broken: it holds this folder and did not answer within 3 s');
  const pids = answer.errors[0]?.next
    .match(/kill -9 ([\d ]+); shakedown down$/)?.[1]
    ?.split(' ')
    .map(Number);
  expect(pids?.toSorted()).toEqual([keeper.pid, keeper.guardPid].toSorted());
  for (const pid of pids ?? []) process.kill(pid, 'SIGKILL');
  const down = await project.run(['down']);
  expect(down.output).toContain('removed what the crashed environment');
  expect(project.left()).toEqual(nothing);
});
