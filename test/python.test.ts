/** `run: { module: … }`: which interpreter a Python program gets, and what it finds around itself. */
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { makeProject, type Project } from './harness/project.ts';
import { runCommand } from './harness/run-command.ts';
import { nothing } from './harness/until.ts';

/** Tells what it was given; `helper` is a module of its own, whose compiled code could be left behind. */
const app = `import json, os, shutil, sys
import desk.helper
print('GIVEN ' + json.dumps({
    'prefix': sys.prefix, 'args': sys.argv[1:], 'tool': shutil.which('tool'),
    'env': {name: os.environ.get(name) for name in ('VIRTUAL_ENV', 'PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE')},
}))
`;

function project(run: string, more: Readonly<Record<string, string>> = {}): Project {
  return makeProject({
    'shakedown.yaml': `name: python\njobs:\n  ask: { run: ${run} }\n`,
    'desk/__init__.py': '',
    'desk/helper.py': '',
    'desk/api.py': app,
    ...more,
  });
}

async function makeVenv({ folder }: Project, name: string): Promise<string> {
  const made = await runCommand(['python3', '-m', 'venv', '--without-pip', name], {
    ...{ cwd: folder, env: {}, withinMs: 60_000 },
  });
  expect(made.code, made.output).toBe(0);
  return path.join(folder, name);
}

interface Given {
  readonly prefix: string;
  readonly args: readonly string[];
  readonly tool: string | null;
  readonly env: Readonly<Record<string, string | null>>;
}

async function given(own: Project, env: Readonly<Record<string, string>> = {}): Promise<Given> {
  const { code, stdout, output } = await own.run(['up', '--', 'cat', '.shakedown/latest/services/ask.log'], {
    env,
  });
  expect(code, output).toBe(0);
  return JSON.parse(/^GIVEN (.*)$/m.exec(stdout)?.[1] ?? '{}') as Given;
}

async function refused(own: Project, code: number): Promise<string> {
  const result = await own.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(code);
  expect(own.left()).toEqual(nothing);
  return result.stderr;
}

test('a virtual environment beside the config is found, also by children, and the folder stays clean', async () => {
  needs('python3');
  const own = project("{ module: desk.api, args: ['--name', '${self.name}'] }");
  const venv = await makeVenv(own, '.venv');
  symlinkSync('/bin/true', path.join(venv, 'bin/tool'));
  expect(await given(own)).toEqual({
    ...{ prefix: venv, args: ['--name', 'ask'], tool: path.join(venv, 'bin/tool') },
    env: { VIRTUAL_ENV: venv, PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1' },
  });
  expect(readdirSync(path.join(own.folder, 'desk')).sort()).toEqual(['__init__.py', 'api.py', 'helper.py']);
});

test('one that is named comes first, then the active one, then python3 on PATH', async () => {
  needs('python3');
  const named = project('{ python: other, module: desk.api }');
  const [beside, other] = [await makeVenv(named, '.venv'), await makeVenv(named, 'other')];
  expect((await given(named, { VIRTUAL_ENV: beside })).prefix).toBe(other);

  const active = project('{ module: desk.api }');
  expect((await given(active, { VIRTUAL_ENV: other })).prefix).toBe(other);
  expect((await given(active, { VIRTUAL_ENV: '' })).env.VIRTUAL_ENV).toBeNull();

  const plain = project('{ python: python3, script: desk/api.py }, env: { PYTHONPATH: . }');
  await makeVenv(plain, '.venv');
  expect((await given(plain, { VIRTUAL_ENV: other })).env.VIRTUAL_ENV).toBeNull();
});

test('one whose interpreter is gone, or that was never made, is an error with the command that makes it', async () => {
  needs('python3');
  const missing = project('{ python: .venv, module: desk.api }', { 'requirements.txt': '' });
  const text = await refused(missing, 3);
  expect(text).toContain('error[world.missing-binary] job ask, phase start');
  expect(text).toContain('the Python of `.venv` is not there');
  const install = 'python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt';
  expect(text).toContain(`next     make it: ${install}`);

  mkdirSync(path.join(missing.folder, '.venv/bin'), { recursive: true });
  symlinkSync('/nowhere/python3.9', path.join(missing.folder, '.venv/bin/python'));
  const broken = await refused(missing, 3);
  expect(broken).toContain('is a link to `/nowhere/python3.9`, which is not there');
  expect(broken).toContain(`next     make it again: rm -r .venv && ${install}`);
});

test('an empty `.venv`, and one whose link leads nowhere over another, are errors that say so', async () => {
  needs('python3');
  const own = project('{ module: desk.api }');
  const venv = path.join(own.folder, '.venv');
  mkdirSync(path.join(venv, 'bin'), { recursive: true });
  const empty = await refused(own, 3);
  expect(empty).toContain('the Python of `.venv` has no interpreter `bin/python` that runs');
  expect(empty).toContain('next     make it again: rm -r .venv && python3 -m venv .venv');

  symlinkSync('python3', path.join(venv, 'bin/python'));
  symlinkSync('/nowhere/python3.9', path.join(venv, 'bin/python3'));
  expect(await refused(own, 3)).toContain('is a link to `/nowhere/python3.9`, which is not there');

  rmSync(venv, { recursive: true });
  symlinkSync('/nowhere/venv', venv);
  expect(await refused(own, 3)).toContain('is a link to `/nowhere/venv`, which is not there');
});

test.each([
  ['{ module: desk.apii }', 'No module named desk.apii', 'correct `module`: `desk/apii.py` is looked for in'],
  ['{ script: api.py }', "can't open file", 'correct `script`: it is looked for in'],
  ['{ script: desk/api.py }', "No module named 'desk'", '-m pip install desk'],
])('what %s does not find is explained', async (run, said, next) => {
  needs('python3');
  const text = await refused(project(run), 3);
  expect(text).toContain(said);
  expect(text).toMatch(new RegExp(`next {5}.*${next.replaceAll('.', '\\.')}`));
});

test('so is what a child does not find, whose reloader waits for another', async () => {
  needs('python3');
  const own = makeProject({
    'shakedown.yaml':
      'name: python\nservices: { api: { run: { script: reloader.py }, ready: { log: up, within: 2s } } }\n',
    'reloader.py':
      "import subprocess, sys, time\nsubprocess.run([sys.executable, '-c', 'import fastapy'])\ntime.sleep(600)\n",
  });
  const text = await refused(own, 3);
  expect(text).toContain('error[boot.never-ready]');
  expect(text).toMatch(/next {5}install it for this interpreter: \S+ -m pip install fastapy/);
});

test.each([
  ['{ module: a, script: b }', 'both `module` and `script`'],
  ['{ python: .venv }', 'neither `module` nor `script`'],
  ['{ module: desk.py }', 'write `script:` for a file'],
  ['{ modul: a }', 'did you mean `module`'],
])('%s is refused where it is written', async (run, words) => {
  const text = await refused(project(run), 2);
  expect(text).toMatch(/error\[config\.[a-z-]+\] .*shakedown\.yaml:3:\d+/);
  expect(text).toContain(words);
});

test('doctor tells the interpreter of each program, and its version', async () => {
  needs('python3');
  const own = project('{ python: env, module: desk.api }');
  const python = async (): Promise<string | undefined> => {
    const { stdout } = await own.run(['doctor']);
    return /^(?:yes|no) +python .*(?:\n {20,}.*)*/m.exec(stdout)?.[0];
  };
  expect(await python()).toMatch(
    /^no .*ask: the Python of `env` is not there\n +next: make it: python3 -m venv env$/,
  );
  await makeVenv(own, 'env');
  expect(await python()).toMatch(/^yes .*ask: env\/bin\/python, Python 3\.\d+\.\d+/);
});
