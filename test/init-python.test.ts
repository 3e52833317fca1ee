/** `init --python`: what it writes is well-formed, and where FastAPI is installed, it boots and its trial can fail. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { needs, pythonWith } from './harness/needs.ts';
import { makeProject, type Project } from './harness/project.ts';
import { runCommand } from './harness/run-command.ts';
import { nothing } from './harness/until.ts';

async function written(): Promise<Project> {
  const project = makeProject({});
  const { code, output } = await project.run(['init', '--python']);
  expect(code, output).toBe(0);
  expect(output).toContain(
    'next: python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && shakedown run\n',
  );
  return project;
}

test('the config and the trial are well-formed, and the programs compile', async () => {
  needs('python3');
  const project = await written();
  const lint = await project.run(['lint']);
  expect(lint.output).toContain('hello is well-formed: 1 resources, 0 jobs, 2 services, 1 trials\n');
  const compiled = await runCommand(['python3', '-m', 'py_compile', 'api.py', 'worker.py'], {
    cwd: project.folder,
  });
  expect(compiled.code, compiled.output).toBe(0);
});

test('without the virtual environment, the error names the commands that make it', async () => {
  const { code, output } = await (await written()).run(['doctor']);
  expect(code, output).not.toBe(0);
  expect(output).toContain('python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt');
});

test('its first trial passes, can fail by sabotage, and fails when the worker is wrong', async () => {
  needs('fastapi', 'redis-server');
  const project = await written();
  const python = pythonWith('fastapi', 'uvicorn', 'redis') ?? '';
  const words = [python, '-m', 'venv', '--system-site-packages', '--without-pip', '.venv'];
  const venv = await runCommand(words, { cwd: project.folder });
  expect(venv.code, venv.output).toBe(0);
  const run = await project.run(['run']);
  expect(run.code, run.output).toBe(0);
  const sabotage = await project.run(['sabotage']);
  expect(sabotage.output).toContain('vitality 100 %: 3 of 3 checks can fail');
  const worker = path.join(project.folder, 'worker.py');
  writeFileSync(worker, readFileSync(worker, 'utf8').replace('"words": words}', '"words": words + 1}'));
  const wrong = await project.run(['run']);
  expect(wrong.output).toContain('✗ counted (line ');
  expect(wrong.code).toBe(1);
  expect(project.left()).toEqual(nothing);
});
