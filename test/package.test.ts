/** The package as users get it: packed, installed in an empty folder, and used there. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotRun, findOnPath } from './harness/needs.ts';
import { projectFolder, readProjectFile } from './harness/project-files.ts';
import { type CommandResult, runCommand } from './harness/run-command.ts';
import { makeTemporaryFolder } from './harness/temporary-folder.ts';

const mostPackedBytes = 3 * 1024 * 1024;
const { version } = JSON.parse(readProjectFile('package.json')) as { version: string };
const folder = makeTemporaryFolder('package');
const home = path.join(folder.path, 'home');
let tarball = '';

const run = (...argv: string[]): Promise<CommandResult> => runCommand(argv, { cwd: home, withinMs: 300_000 });

beforeAll(async () => {
  const packed = await runCommand(['npm', 'pack', '--pack-destination', folder.path], {
    cwd: projectFolder,
    withinMs: 120_000,
  });
  expect(packed.code, packed.output).toBe(0);
  tarball = path.join(folder.path, readdirSync(folder.path).find((name) => name.endsWith('.tgz')) ?? '');
  mkdirSync(home);
  const installed = await run(
    'npm',
    'install',
    '--prefer-offline',
    '--fetch-timeout=30000',
    '--no-audit',
    '--no-fund',
    tarball,
  );
  expect(installed.code, installed.output).toBe(0);
}, 400_000);

afterAll(() => folder.remove());

test('the tarball holds the product and nothing else', async () => {
  const listed = await runCommand(['tar', '-tzf', tarball], { cwd: folder.path });
  const files = listed.stdout
    .trimEnd()
    .split('\n')
    .map((file) => file.replace(/^package\//, ''));
  const tops = new Set(files.map((file) => file.split('/')[0] ?? ''));
  console.log(`${files.length} files, ${Math.round(statSync(tarball).size / 1024)} KB packed`);
  expect([...tops].sort()).toEqual(
    [
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin',
      'dist',
      'docs',
      'package.json',
      'python',
      'schema',
    ].sort(),
  );
  expect(files).toContain('dist/index.d.ts');
  expect(files).toContain('dist/LICENSES.txt');
  expect(files).toContain('schema/system.schema.json');
  expect(files.filter((file) => /\.test\.|\.map$|\.tgz$|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  expect(statSync(tarball).size).toBeLessThan(mostPackedBytes);
});

describe('installed in an empty folder', () => {
  test('it knows its version and its verbs', async () => {
    expect(await run('npx', 'shakedown', '--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
    const help = await run('npx', 'shakedown', '--help');
    expect(help.code).toBe(0);
    expect(help.stdout).toMatch(/usage: shakedown VERB/);
  });

  test('init writes a project that is well-formed, boots, passes its own test, and leaves nothing', async () => {
    expect(await run('npx', 'shakedown', 'init', 'hello')).toMatchObject({ code: 0 });
    const hello = path.join(home, 'hello');
    const linted = await runCommand(['npx', 'shakedown', 'lint'], { cwd: hello });
    expect(linted, linted.output).toMatchObject({ code: 0 });
    const up = await runCommand(['npx', 'shakedown', 'up', '--', 'node', 'check.mjs'], { cwd: hello });
    expect(up, up.output).toMatchObject({ code: 0 });
    expect(up.stdout).toMatch(/critical path/);
  });

  test('a config in TypeScript finds the package, for us and for the compiler', async () => {
    const typed = path.join(home, 'typed');
    mkdirSync(typed);
    const config = (key: string): string =>
      `import { defineSystem, ref } from 'shakedown';\n\nexport default defineSystem({\n  name: 'typed',\n  services: { a: { run: ['node', '-e', '0', ref('self.dir')], ${key}: {} } },\n});\n`;
    const compilerOptions = { module: 'nodenext', target: 'es2024', strict: true, noEmit: true, types: [] };
    writeFileSync(path.join(typed, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    writeFileSync(path.join(typed, 'package.json'), '{ "type": "module" }');
    writeFileSync(path.join(typed, 'shakedown.config.ts'), config('env'));
    const linted = await runCommand(['npx', 'shakedown', 'lint'], { cwd: typed });
    expect(linted, linted.output).toMatchObject({ code: 0 });
    const compiled = await runCommand(['tsc'], { cwd: typed });
    expect(compiled, compiled.output).toMatchObject({ code: 0 });

    writeFileSync(path.join(typed, 'shakedown.config.ts'), config('evn'));
    const refused = await runCommand(['npx', 'shakedown', 'lint'], { cwd: typed });
    expect(refused.code, refused.output).toBe(2);
    expect(refused.stderr).toMatch(/config\.unknown-key[\s\S]*did you mean `env`/);
    expect((await runCommand(['tsc'], { cwd: typed })).output).toMatch(/'evn' does not exist/);
  });
});

test('the lock file has an entry for every optional package, whatever the platform', () => {
  const lock = JSON.parse(readProjectFile('package-lock.json')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const named = Object.values(lock.packages).flatMap(({ optionalDependencies }) =>
    Object.keys(optionalDependencies ?? {}),
  );
  const lacking = named.filter(
    (name) => !Object.keys(lock.packages).some((place) => place.endsWith(`node_modules/${name}`)),
  );
  expect(lacking, 'npm ci refuses such a lock file; call npm run lock').toEqual([]);
});

test('an incomplete package is not a verdict on the system', async () => {
  const broken = path.join(folder.path, 'broken');
  mkdirSync(path.join(broken, 'bin'), { recursive: true });
  for (const file of ['bin/shakedown.js', 'package.json'])
    writeFileSync(path.join(broken, file), readProjectFile(file));
  const { code, output } = await run(process.execPath, path.join(broken, 'bin/shakedown.js'), 'run');
  expect([code, output]).toEqual([70, expect.stringContaining('the package is not complete')]);
});

test('a Node that is too old gets one clear error', async () => {
  const old = await findOldNode();
  if (old === undefined) {
    cannotRun(
      'needs a Node older than 22.18 on PATH, and there is none',
      'apt-get install nodejs, on Debian 12',
    );
    return;
  }
  const refused = await runCommand([old, path.join(projectFolder, 'bin/shakedown.js'), 'up'], {
    cwd: folder.path,
  });
  expect(refused.code).toBe(2);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toMatch(
    /^error\[config\.node-too-old\] .*\n {2}what .*\n {2}allowed .*\n {2}next .*\n$/,
  );
});

async function findOldNode(): Promise<string | undefined> {
  const others = findOnPath('node').filter((file) => !file.includes(`node_modules${path.sep}.bin`));
  for (const file of others) {
    const { stdout } = await runCommand([file, '--version'], { cwd: folder.path });
    const [major = 0, minor = 0] = stdout.replace(/^v/, '').split('.').map(Number);
    if (major < 22 || (major === 22 && minor < 18)) return file;
  }
  return undefined;
}
