import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shimFolders, withShims } from './shims.ts';

const spec = { name: 'daemon', shims: { words: 'printf' } };

/** A path that breaks a script without proper quoting. */
let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'it’s "a" $work \'space\' '));
});
afterEach(() => rmSync(workspace, { recursive: true }));

const program = { argv: ['node'], cwd: '/', env: { PATH: process.env.PATH ?? '' } };

test('shims work with special characters in the workspace path, and installing them again changes nothing', () => {
  for (const _ of [1, 2]) {
    const { env, argv } = withShims(workspace, spec, program);
    expect(argv).toEqual(['node']);
    expect(say(env)).toEqual({ stdout: 'said', stderr: '', status: 0 });
  }
  const folder = shimFolders(workspace, spec).words as string;
  const records = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  expect(records).toEqual(['printf\0%s\0said', 'printf\0%s\0said']);
  expect(readdirSync(path.join(workspace, 'daemon/shims/bin'))).toEqual(['printf']);
});

test('the program runs even when its call cannot be recorded', () => {
  const { env } = withShims(workspace, spec, program);
  const folder = shimFolders(workspace, spec).words as string;
  rmSync(folder, { recursive: true });
  expect(say(env)).toEqual({ stdout: 'said', stderr: '', status: 0 });
});

test('a service without shims is started unchanged', () => {
  expect(withShims(workspace, { name: 'daemon' }, program)).toBe(program);
  expect(shimFolders(workspace, { name: 'daemon' })).toEqual({});
});

function say(env: Readonly<Record<string, string>>) {
  const { stdout, stderr, status } = spawnSync('printf', ['%s', 'said'], { env, encoding: 'utf8' });
  return { stdout, stderr, status };
}
