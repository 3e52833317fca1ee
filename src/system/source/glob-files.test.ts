import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeTree } from '../../kernel/folders/remove-tree.ts';
import { globFiles } from './glob-files.ts';

let base = '';
let folder = '';

beforeAll(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'glob-files-')));
  folder = path.join(base, 'project');
  const files = ['a/1.y', 'a/b/2.y', 'a/[x].y', 'a/.3.y', '.hidden/4.y', 'a/node_modules/5.y', 'out/6.y'];
  for (const name of [...files, '../beside/7.y']) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), '');
  }
  symlinkSync('../out/6.y', path.join(folder, 'a/file.y')); // as in every Python venv
  symlinkSync('../../beside', path.join(folder, 'a/beside'));
  symlinkSync('..', path.join(folder, 'a/up'));
  symlinkSync('nowhere', path.join(folder, 'a/dangling.y'));
  execFileSync('mkfifo', [path.join(folder, 'a/fifo.y')]);
});

afterAll(() => removeTree(base));

test.each<readonly [string, readonly string[]]>([
  ['**/*.y', ['1.y', '[x].y', 'b/2.y', 'beside/7.y', 'dangling.y', 'fifo.y', 'file.y', '../out/6.y']],
  ['a/*.y', ['1.y', '[x].y', 'dangling.y', 'fifo.y', 'file.y']],
  ['./a/../a/{1,file}.y', ['1.y', 'file.y']],
  ['a/*/[27].y', ['b/2.y', 'beside/7.y']],
  ['a/[[]x].y', ['[x].y']],
  ['a/b/2.y', ['b/2.y']],
  ['../beside/*.y', ['../../beside/7.y']],
  ['a/up/out/*.y', ['up/out/6.y']],
  ['a/.*.y', ['.3.y']],
  ['.hidden/*', ['../.hidden/4.y']],
  ['a/node_modules/*.y', ['node_modules/5.y']],
  ['a/b', []],
  ['absent/**', []],
  ['**/*{.y,.z}', ['1.y', '[x].y', 'b/2.y', 'beside/7.y', 'dangling.y', 'fifo.y', 'file.y', '../out/6.y']],
  ['{a,.hidden}/?.y', ['1.y', '../.hidden/4.y']],
])('%s', async (glob, expected) => {
  const found = (await all(glob)).map((file) => path.relative(path.join(folder, 'a'), file));
  expect(found.sort()).toEqual([...expected].sort());
});

test.each(['a/{1', 'a/@(1|2).y', 'a/{1..3}.y', 'a/[[:alpha:]].y', 'a/[z-a].y'])(
  '%s cannot be read',
  async (glob) => {
    await expect(all(glob)).rejects.toThrow(`the glob ${JSON.stringify(glob)} cannot be read`);
  },
);

test('a glob may be absolute', async () => {
  expect(await all(path.join(base, 'beside/*.y'))).toEqual([path.join(base, 'beside/7.y')]);
});

test('links of folders to one another end in a problem, not in an endless walk', async () => {
  const maze = path.join(base, 'maze');
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  for (const name of names) mkdirSync(path.join(maze, name), { recursive: true });
  for (const from of names) for (const to of names) symlinkSync(`../${to}`, path.join(maze, from, to));
  await expect(all(path.join(maze, '**/*.y'))).rejects.toThrow('leads over more than 2000 links');
});

async function all(glob: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of globFiles([glob], folder)) files.push(file);
  return files.sort();
}
