/** Unusual shells: a umask, a working folder that is gone, an output that accepts nothing. */
import { chmodSync, copyFileSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { binary, makeProject } from './harness/project.ts';
import { type CommandResult, runCommand } from './harness/run-command.ts';
import { makeTemporaryFolder } from './harness/temporary-folder.ts';

/** A package whose command line prints the umask, and where compiled code is cached. */
function reporting(): string {
  const { path: folder, remove } = makeTemporaryFolder('package');
  onTestFinished(remove);
  for (const name of ['bin', 'dist/cli']) mkdirSync(path.join(folder, name), { recursive: true });
  copyFileSync(binary, path.join(folder, 'bin/shakedown.js'));
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    path.join(folder, 'dist/cli/main.js'),
    `import module from 'node:module';
     export async function main() {
       console.log(process.umask().toString(8), module.getCompileCacheDir() ?? 'nowhere');
       return 0;
     }`,
  );
  return folder;
}

function under(mask: string, folder: string): Promise<CommandResult> {
  const script = `umask ${mask}; exec "$0" bin/shakedown.js`;
  return runCommand(['sh', '-c', script, process.execPath], {
    cwd: folder,
    env: { NODE_COMPILE_CACHE: undefined },
  });
}

describe('compiled code', () => {
  test('is cached where other users can neither read nor write, whatever the umask', async () => {
    const folder = reporting();
    const cache = path.join(folder, '.cache');
    expect((await under('0', folder)).output).toMatch(`0 ${cache}/`);
    expect(lstatSync(cache).mode & 0o777).toBe(0o700);
    expect((await under('022', folder)).output).toMatch(`22 ${cache}/`);
  });

  test.each(['a folder that others can enter', 'a link'])('is not taken from %s', async (what) => {
    const folder = reporting();
    const cache = path.join(folder, '.cache');
    mkdirSync(path.join(folder, 'other'), { mode: 0o700 });
    if (what === 'a link') symlinkSync(path.join(folder, 'other'), cache);
    else mkdirSync(cache);
    if (what !== 'a link') chmodSync(cache, 0o711);
    expect((await under('022', folder)).output).toBe('22 nowhere\n');
  });
});

test('a umask that removes our own permissions applies to other users only', async () => {
  expect((await under('0777', reporting())).output).toMatch(/^77 /);
});

test.each(['run', 'status', 'down'])('%s in a folder that was removed is explained', async (verb) => {
  const { folder, env } = makeProject({});
  const script = 'mkdir gone; cd gone; rmdir ../gone; exec "$0" "$1" "$2"';
  const result = await runCommand(['sh', '-c', script, process.execPath, binary, verb], { cwd: folder, env });
  expect(result.code, result.output).toBe(2);
  expect(result.stderr).toMatch(/^error\[config\.not-found\] the working folder/m);
});

test.each(['lint', 'lint --json'])('%s into a full disk ends, reports it once, and fails', async (words) => {
  needs('linux');
  const { folder, env } = makeProject({
    'shakedown.yaml': 'name: full\nservices: { web: { run: [node, services/answers.mjs] } }\n',
  });
  const script = `exec "$0" "$1" ${words} >/dev/full`;
  const result = await runCommand(['sh', '-c', script, process.execPath, binary], { cwd: folder, env });
  expect(result.code, result.output.slice(0, 2_000)).toBe(3);
  expect(result.stderr.match(/^error/gm)).toEqual(['error']);
  expect(result.stderr).toContain('ENOSPC');
});
