import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parallelBecause } from './parallel-runner.ts';

function because(
  words: string,
  env: Record<string, string> = {},
  files: Record<string, string> = {},
): unknown {
  const cwd = mkdtempSync(path.join(tmpdir(), 'parallel-runner-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
  return parallelBecause(words.split(' '), { cwd, env });
}

test.each([
  ['.venv/bin/pytest -q -n 2 tests'],
  ['python -m pytest -n auto'],
  ['uv run pytest -n4'],
  ['pytest --numprocesses=3'],
  ['pytest --workers 4'],
  ['pytest --dist loadfile --tx 3*popen'],
])('%s', (words) => {
  expect(because(words)).toBe('pytest runs tests in parallel, set in the command line');
});

test.each([
  ['pytest.ini', '[pytest]\naddopts = -q\n  -n auto\n'],
  ['pyproject.toml', '[tool.pytest.ini_options]\naddopts = "-q -n 4"\n'],
  ['pyproject.toml', '[tool.pytest.ini_options]\naddopts = [\n  "-q",\n  "--dist=load",\n]\n'],
])('%s: %j', (name, text) => {
  expect(because('pytest -q', {}, { [name]: text })).toContain(name);
  expect(because('pytest -q', { PYTEST_ADDOPTS: '-n 2' })).toContain('PYTEST_ADDOPTS');
});

test.each([
  [
    'pytest -q tests/test_n.py -p no:xdist -k -not-n',
    '[pytest]\naddopts = -q --no-header\ntestpaths = a -n 2\n',
  ],
  ['pytest -n 0', '[pytest]\naddopts = -n 4\n'],
  ['nice -n 5 pytest', ''],
  ['pytest --dist=no', ''],
  ['go test -n 2 ./...', ''],
])('one after the other: %s', (words, ini) => {
  expect(because(words, {}, { 'pytest.ini': ini })).toBeUndefined();
});
