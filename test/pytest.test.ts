/** The pytest plugin: a case for each trial, in one run for all of them, and a booted system as a fixture. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configNames } from '../src/system/find-config.ts';
import type { Leftovers } from './harness/leftovers.ts';
import { cannotRun, needs } from './harness/needs.ts';
import { notesProject } from './harness/notes-system.ts';
import { makeProject } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';
import { runPytest, startPytest } from './harness/pytest.ts';
import { latestVerdict, trialsProject } from './harness/trials-project.ts';
import { isNothing, nothing, until } from './harness/until.ts';

const config = `isolation: shared
services:
  hall: { run: [node, services/meets-others.mjs], listen: { env: PORT }, env: { PLACE: "\${config.dir}" } }`;
const asks = 'steps: [{ http: GET hall/, as: page }]\nchecks: { answers: { exchange: page, expect:';
const right = `${asks} { status: 200 } } }`;
const wrong = `${asks} { status: 404 } } }`;

const ok = 'def test_ok(): pass\n';

const oneOfEach = {
  cased: `tags: [smoke]\ncases: { first: { status: 200 }, second: { status: 404 } }\n${asks} { status: "\${case.status}" } } }`,
  empty: 'steps: [{ http: GET hall/ }]',
  expected: `expectedFailure: { because: not built yet }\n${wrong}`,
  fine: right,
  proven: `steps: [{ http: GET hall/, as: page }]\nchecks: { silent: { logs: hall, count: 0, provenBy: fine } }`,
  skipped: `needs: [{ env: NOT_SET_ANYWHERE }]\n${right}`,
};

beforeEach(() => needs('pytest'));

/** What pytest says about each case, with `-rA`. */
function outcomes(output: string): Record<string, string> {
  const lines = output.matchAll(/^(PASSED|FAILED|ERROR|XFAIL) shakedown\.yaml::(\S+)/gm);
  return Object.fromEntries([...lines].map(([, outcome = '', trial = '']) => [trial, outcome]));
}

const expected = {
  'cased[first]': 'PASSED',
  'cased[second]': 'FAILED',
  empty: 'ERROR',
  expected: 'XFAIL',
  fine: 'PASSED',
  proven: 'ERROR',
};

test('each trial is a case, with its checks in the text of its failure, and what proves nothing is an error', async () => {
  const project = trialsProject(config, oneOfEach);
  const { code, output } = await runPytest(project, '-rA', '--junitxml=report.xml');
  expect(code, output).toBe(1);
  expect(outcomes(output), output).toEqual(expected);
  expect(output).toContain('needs the environment variable NOT_SET_ANYWHERE');
  expect(output).toMatch(/✗ answers \(line 5\)\n +at +\$\.status\n +expected {2}404\n +observed {2}200/);
  expect(output).toMatch(/to blame[\s\S]*shakedown rerun \S+ 'cased\[second\]'/);
  expect(output).toMatch(/ERROR at setup of empty _+\n\? empty.+it checks nothing/);
  expect(output).not.toContain('Traceback');
  expect(output).toContain('1 failed, 2 passed, 1 skipped, 1 xfailed, 2 errors');
  const [, journal = ''] =
    /shakedown_journal" value="([^"]+)/.exec(readFileSync(path.join(project.folder, 'report.xml'), 'utf8')) ??
    [];
  expect(existsSync(journal), journal).toBe(true);
  expect(project.left()).toEqual(nothing);
});

test('-k, -m, ids and --lf select, and only what is selected is performed', async () => {
  const project = trialsProject(config, oneOfEach);
  const performed = async (...args: readonly string[]) => {
    const { output } = await runPytest(project, '-rA', ...args);
    const { trials } = latestVerdict(project).verdict;
    expect(trials.map(({ id }) => id).toSorted(), output).toEqual(Object.keys(outcomes(output)).toSorted());
    return outcomes(output);
  };
  expect(await performed('-k', 'fine or second')).toEqual({ fine: 'PASSED', 'cased[second]': 'FAILED' });
  expect(await performed('--lf')).toEqual({ 'cased[second]': 'FAILED' });
  expect(await performed('--strict-markers', '-m', 'smoke', '-k', 'first')).toEqual({
    'cased[first]': 'PASSED',
  });
  expect(await performed('shakedown.yaml::cased[first]')).toEqual({ 'cased[first]': 'PASSED' });
});

test('after a failure with -x the run is interrupted, and nothing is left', async () => {
  const slow = `steps: [{ command: [sleep, '50'], as: slept, timeout: 60s, expect: { exitCode: 0 } }]`;
  const project = trialsProject(config, { bad: wrong, slow });
  const { code, output } = await runPytest(project, '-rA', '-x', '-o', 'shakedown_arguments=--parallel 1');
  expect(code, output).toBe(1);
  expect(outcomes(output)).toEqual({ bad: 'FAILED' });
  expect(latestVerdict(project).verdict.exitCode).toBe(130);
  expect(project.left()).toEqual(nothing);
});

test('with xdist one run has an environment for each worker', async () => {
  const meet =
    'steps: [{ http: GET hall/meet?at=noon&guests=2, as: met, timeout: 25s, expect: { status: 200 } }]';
  const project = trialsProject(config, { anna: meet, berta: meet });
  const { code, output } = await runPytest(project, '-rA', '-n', '2');
  expect(code, output).toBe(0);
  expect(outcomes(output)).toEqual({ anna: 'PASSED', berta: 'PASSED' });
  expect(project.left()).toEqual(nothing);
});

test('a system that does not boot is one error, also with xdist; the trials after it are not passed', async () => {
  const broken = 'services: { hall: { run: [sh, -c, "echo no hall today; exit 3"], listen: { env: PORT } } }';
  const project = trialsProject(broken, { anna: right, berta: right, clara: right });
  for (const args of [[], ['-n', '2']]) {
    const { code, output } = await runPytest(project, ...args);
    expect(code, output).toBe(1);
    expect(output.match(/no hall today/g), output).toHaveLength(2); // its command, and what it said
    expect(output).toContain('2 skipped, 1 error');
  }
  expect(project.left()).toEqual(nothing);
});

test('a config that cannot be used is one error of the collection', async () => {
  const project = trialsProject(`${config}\nsettel: 1s`, { anna: right, berta: right });
  const broken = await runPytest(project);
  expect(broken.code, broken.output).toBe(2);
  expect(broken.output).toMatch(/config\.unknown-key\] .*shakedown\.yaml:7\n {2}what/);
  expect(broken.output).toContain('1 error in');
});

test.each([
  ['shakedwn.yaml', 'shakedwn.yaml'],
  ['sub/shakedown.yaml', 'sub/shakedown.yaml'],
  ['shakedown.yaml nope.yaml', 'nope.yaml'],
])('a config that is not there is an error of usage: shakedown_config = %s', async (named, missing) => {
  const ini = `[pytest]\nshakedown_config = ${named}\n`;
  const project = trialsProject(config, { bad: wrong }, { 'test_own.py': ok, 'pytest.ini': ini });
  const { code, output } = await runPytest(project);
  expect(code, output).toBe(4);
  expect(output).toMatch(
    /error\[config\.not-found\] shakedown_config in .*pytest\.ini\n +what +.*is not there/,
  );
  expect(output).toContain(`${path.join(project.folder, missing)} is not there`);
  expect(project.left()).toEqual(nothing);
});

test.each(configNames.filter((name) => name !== 'shakedown.yaml'))(
  'trials of %s, which the command line finds, are collected, too',
  async (name) => {
    const project = trialsProject(config, { bad: wrong }, { 'test_own.py': ok });
    const file = path.join(project.folder, 'shakedown.yaml');
    const text = readFileSync(file, 'utf8');
    rmSync(file);
    const written = name.endsWith('yml') ? text : `export default ${JSON.stringify(parse(text))}`;
    writeFileSync(path.join(project.folder, name), written);
    const { output } = await runPytest(project, '--collect-only', '-q');
    expect(output).toContain(`${name}::bad\n`);
  },
);

test.each([
  ['testpaths', ['-o', 'testpaths=tests']],
  ['the arguments', ['tests']],
  ['the arguments', ['-n', '2', 'tests']],
])('a config whose trials %s left out is named', async (reason, args) => {
  const project = trialsProject(config, { bad: wrong }, { 'tests/test_own.py': ok });
  const { output } = await runPytest(project, ...args);
  expect(output).toContain('1 passed');
  expect(output).toMatch(
    new RegExp(`no trial of ${project.folder}/shakedown.yaml was collected: .*${reason}.* left it out`),
  );
  const all = await runPytest(project, '--collect-only', ...args, 'shakedown.yaml');
  expect(all.output).not.toContain('no trial of');
});

test('what a session that was killed left is removed by the next one, and nothing else', async () => {
  const project = trialsProject(config, {}, { 'test_own.py': ok });
  const { pid = 0 } = spawnSync('true');
  const folder = (name: string) => path.join(project.tmp, `shakedown-pytest-${name}`);
  const stale = folder(`${pid}-abcdefgh`);
  const other = path.join(project.tmp, 'other');
  for (const made of [stale, other, folder(`${process.pid}-running`)]) {
    mkdirSync(made);
    writeFileSync(path.join(made, 'file'), '');
  }
  symlinkSync(other, folder(`${pid}-link`));
  const { code, output } = await runPytest(project, 'test_own.py');
  expect(code, output).toBe(0);
  expect(existsSync(stale)).toBe(false);
  expect(existsSync(path.join(other, 'file'))).toBe(true);
  expect(project.left().folders.toSorted()).toEqual(
    [`shakedown-pytest-${pid}-link`, `shakedown-pytest-${process.pid}-running`].toSorted(),
  );
});

test('what the run as a whole did not hold fails the session', async () => {
  const project = trialsProject(`${config}\ngates: { strict: { skips: forbid } }`, {
    fine: right,
    skipped: oneOfEach.skipped,
  });
  const { code, output } = await runPytest(project, '-o', 'shakedown_arguments=--gate strict');
  expect(code, output).toBe(1);
  expect(output).toMatch(/the run as a whole did not hold\n +6 +skipped was skipped .*no skip is allowed/);
  expect(output).toContain('1 passed, 1 skipped');
});

const owns = `
import urllib.request

def test_addresses(shakedown_environment):
    url = shakedown_environment.url("notes")
    assert shakedown_environment.addresses["notes"] == shakedown_environment.env["SHAKEDOWN_NOTES_URL"] == url
    assert {"from": "outside", "to": "notes", "url": url} in shakedown_environment.edges
    urllib.request.urlopen(url + "/note?text=hello")
    assert any(event.get("path") == "/note?text=hello" for event in shakedown_environment.journal())

def test_rows_and_journal(shakedown_environment):
    assert [row["text"] for row in shakedown_environment.rows("db.notes")] == ["from the job", "hello"]
    assert shakedown_environment.rows("db.notes", where={"text": {"$regex": "^he"}})[0]["id"] > 1
    assert any(event.get("path") == "/note?text=hello" for event in shakedown_environment.journal())

def test_unknown_name(shakedown_environment):
    shakedown_environment.url("nobody")

def test_unknown_table(shakedown_environment):
    shakedown_environment.rows("db.novels")
`;

test('the fixture boots the system once, and gives addresses, edges, rows and the journal', async () => {
  const project = notesProject();
  writeFileSync(path.join(project.folder, 'test_own.py'), owns);
  const { code, output } = await runPytest(project, '-rA', 'test_own.py');
  expect(code, output).toBe(1);
  expect(output).toMatch(/PASSED .*test_addresses\nPASSED .*test_rows_and_journal/);
  expect(output).toMatch(/url\(\)\nE +what +nothing is called 'nobody'\nE +allowed +db, notes/);
  expect(output).toMatch(/shakedown rows db\.novels\nE +what/);
  expect(output).toContain('2 failed, 2 passed');
  expect(project.left()).toEqual(nothing);
});

const holds = `
import pathlib, time

def test_holds(shakedown_environment):
    pathlib.Path("held").touch()
    time.sleep(50)
`;

test.each([
  ['SIGINT', 'of its own', []],
  ['SIGKILL', 'of its own', []],
  ['SIGINT', 'of its own, with xdist', ['-n', '2']],
  ['SIGINT', 'of a trial', ['shakedown.yaml']],
  ['SIGKILL', 'of a trial', ['shakedown.yaml']],
] as const)('after %s no environment %s is left', async (signal, _whose, args) => {
  const touches = `steps: [{ command: [sh, -c, 'touch ../held; sleep 50'], as: slept, timeout: 60s, expect: { exitCode: 0 } }]`;
  const project = trialsProject(config, { slow: touches }, { 'test_own.py': holds });
  const running = startPytest(
    project,
    ...args,
    ...(args.includes('shakedown.yaml' as never) ? [] : ['test_own.py']),
  );
  const ended = new Promise((resolve) => running.on('exit', resolve));
  await until('it is held', 40_000, () => existsSync(path.join(project.folder, 'held')), Boolean);
  running.kill(signal);
  await ended;
  await until(
    'nothing is left',
    20_000,
    () => project.left(),
    signal === 'SIGKILL' ? hasNoProcess : isNothing,
  );
});

/** Its own temporary folder stays where pytest is killed, until the next session. */
function hasNoProcess({ processes }: Leftovers): boolean {
  return processes.length === 0;
}

test('the desk has tests in pytest beside its trials', async () => {
  const desk = path.join(projectFolder, 'examples/desk');
  const { status } = spawnSync(path.join(desk, 'bin/python'), ['-c', '']);
  needs('redis-server');
  if (status !== 0) cannotRun('needs psycopg and redis', 'apt-get install python3-psycopg python3-redis');
  const project = makeProject({});
  cpSync(desk, project.folder, { recursive: true, filter: (file) => !file.endsWith('.shakedown') });
  const { code, output } = await runPytest(project, '-k', 'test_desk or unknown-customer');
  expect(code, output).toBe(0);
  expect(output).toMatch(/test_desk\.py \.\./);
  expect(project.left()).toEqual(nothing);
});
