/** Removes hostile trees: nothing outside is ever touched, and every entry that stays is reported. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeTree } from './remove-tree.ts';

const runs = Number(process.env.SHAKEDOWN_TREES ?? 25);
const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';

let base: string;
let outside: string;
let workspace: string;
let undo: Array<() => void>;

beforeEach(() => {
  base = mkdtempSync(path.join(realpathSync(tmpdir()), 'test-trees-'));
  outside = path.join(base, 'outside');
  workspace = path.join(base, 'workspace');
  undo = [];
  mkdirSync(path.join(outside, 'inner'), { recursive: true });
  writeFileSync(path.join(outside, 'inner', 'precious'), 'precious', { mode: 0o640 });
  symlinkSync('inner', path.join(outside, 'link'));
  mkdirSync(workspace);
});

afterEach(() => {
  for (const back of undo.reverse()) back();
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
});

/** Everything that could be changed: names, modes, owners, links, contents. */
function pictureOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const file = path.join(folder, name);
      const { mode, uid, nlink } = lstatSync(file);
      const isLink = lstatSync(file).isSymbolicLink();
      const holds = isLink ? readlinkSync(file) : lstatSync(file).isFile() ? readFileSync(file, 'utf8') : '';
      return [name, mode.toString(8), uid, nlink, holds].join(' ');
    });
}

/** Creates an entry in the folder; returns it when it must stay. */
type Plant = (at: string) => string | undefined;

const plants: Readonly<Record<string, Plant>> = {
  file: (at) => void writeFileSync(at, 'x'),
  'file without rights': (at) => void writeFileSync(at, 'x', { mode: 0 }),
  'link out': (at) => void symlinkSync(outside, at),
  'link to a file outside': (at) => void symlinkSync(path.join(outside, 'inner', 'precious'), at),
  'link up': (at) => void symlinkSync('..', at),
  loop: (at) => void symlinkSync(path.basename(at), at),
  'link to nowhere': (at) => void symlinkSync('nowhere', at),
  'odd name': (at) =>
    void writeFileSync(Buffer.concat([Buffer.from(at), Buffer.from([0xff, 10, 0x80])]), 'x'),
  'closed folder': (at) => {
    mkdirSync(at);
    writeFileSync(path.join(at, 'inside'), 'x');
    chmodSync(at, 0);
  },
  'hard link': (at) => {
    writeFileSync(`${at}-a`, 'x');
    linkSync(`${at}-a`, `${at}-b`);
  },
  fifo: (at) => void execFileSync('mkfifo', [at]),
  'file of another user': (at) => {
    if (!isRoot) return undefined;
    writeFileSync(at, 'x');
    chownSync(at, 12_345, 12_345);
    return at;
  },
  'folder of a known user': (at) => {
    mkdirSync(at);
    writeFileSync(path.join(at, 'inside'), 'x');
    if (isRoot) for (const made of [path.join(at, 'inside'), at]) chownSync(made, 54_321, 54_321);
    return undefined;
  },
  'bind mount': (at) => mounted(at, ['--bind', outside, at]),
  tmpfs: (at) => mounted(at, ['-t', 'tmpfs', 'none', at]),
  'immutable file': (at) => {
    writeFileSync(at, 'x');
    if (!isRoot || spawnSync('chattr', ['+i', at]).status !== 0) return undefined;
    undo.push(() => void spawnSync('chattr', ['-i', at]));
    return at;
  },
};

function mounted(at: string, words: readonly string[]): string | undefined {
  mkdirSync(at);
  if (!isRoot || !isLinux || spawnSync('mount', words).status !== 0) return undefined;
  undo.push(() => void spawnSync('umount', ['-l', at]));
  return at;
}

/** Folders as numbers, to generate trees of any form: each entry goes below one of the earlier folders. */
const tree = fc.record({
  folders: fc.array(fc.nat(30), { maxLength: 8 }),
  planted: fc.array(fc.tuple(fc.constantFrom(...Object.keys(plants)), fc.nat(30)), { maxLength: 14 }),
});

test('for any tree, nothing outside is touched, and exactly the entries that must stay are reported', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async ({ folders, planted }) => {
      const target = mkdtempSync(path.join(workspace, 't-'));
      const before = pictureOf(outside);
      const places = [target];
      for (const [index, place] of folders.entries()) {
        const made = path.join(places[place % places.length] as string, `folder-${index}`);
        mkdirSync(made);
        places.push(made);
      }
      const staying = planted.flatMap(([kind, place], index) => {
        const at = path.join(places[place % places.length] as string, `plant-${index}`);
        return plants[kind]?.(at) ?? [];
      });
      const lines = await removeTree(target, { below: base, owners: [54_321] });
      expect(pictureOf(outside)).toEqual(before);
      expect(lines.map((line) => line.split(': ')[0]).sort()).toEqual([...staying].sort());
      expect(existsSync(target)).toBe(staying.length > 0);
      for (const entry of staying) expect(lstatSync(entry, { throwIfNoEntry: false }), entry).toBeDefined();
      for (const back of undo.splice(0).reverse()) back();
    }),
    { numRuns: runs },
  );
}, 60_000);

test('removes a tree deeper than the longest path with few open descriptors', async () => {
  const script = `import os, sys
os.chdir(sys.argv[1])
for _ in range(300):
  os.mkdir('d' * 20); os.chdir('d' * 20)
open('file', 'w')`;
  const target = path.join(workspace, 'deep');
  mkdirSync(target);
  if (spawnSync('python3', ['-c', script, target]).status !== 0)
    execFileSync('mkdir', ['-p', `${target}/${'d/'.repeat(1_000)}`]);
  const before = readdirSync('/proc/self/fd').length;
  expect(await removeTree(target)).toEqual([]);
  expect(existsSync(target)).toBe(false);
  expect(readdirSync('/proc/self/fd').length).toBe(before);
});

test('removes a socket that is listened on; removes the `last` entry last, and keeps it when another entry stays', async () => {
  const target = path.join(workspace, 'with-ledger');
  mkdirSync(target);
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(path.join(target, 'socket'), resolve));
  for (const name of ['a', 'ledger', 'z']) writeFileSync(path.join(target, name), 'x');
  const planted = plants['file of another user']?.(path.join(target, 'theirs'));
  const lines = await removeTree(target, { last: 'ledger' });
  expect(existsSync(target) ? readdirSync(target) : []).toEqual(planted ? ['ledger', 'theirs'] : []);
  expect(lines).toEqual(planted ? [`${planted}: it belongs to user 12345, not to us`] : []);
  await new Promise((resolve) => server.close(resolve));
});

test('a link above the target, below the folder that is trusted, is not followed', async () => {
  symlinkSync(outside, path.join(workspace, 'link'));
  const before = pictureOf(outside);
  const target = path.join(workspace, 'link', 'inner');
  expect(await removeTree(target, { below: base })).toEqual([
    `${target}: ENOTDIR: not a directory; a link, or another entry that is not a folder, is in the way`,
  ]);
  expect(pictureOf(outside)).toEqual(before);
});

test('a tree that changes during the removal (folders become links and back, files appear): nothing outside is touched', async () => {
  const before = pictureOf(outside);
  const changer = `
for i in 1 2 3 4 5 6 7 8; do mkdir -p "$1/f$i/g/h"; done 2>/dev/null
while :; do for i in 1 2 3 4 5 6 7 8; do
  mv "$1/f$i" "$1/m$i"; ln -s "$2" "$1/f$i"; mv "$1/f$((i % 8 + 1))/g" "$1/g$i"; ln -s "$2/inner" "$1/m$i/g"
  mkdir -p "$1/n$i/g"; touch "$1/n$i/g/x"; rm -f "$1/f$i"; mv "$1/m$i" "$1/f$i"
done; done 2>/dev/null`;
  for (let round = 0; round < 4; round += 1) {
    const target = path.join(workspace, `round-${round}`);
    mkdirSync(target);
    for (let file = 0; file < 300; file += 1) writeFileSync(path.join(target, String(file)), '');
    // A process group of its own, so that no child of the shell outlives it.
    const hostile = spawn('sh', ['-c', changer, 'sh', target, outside], { stdio: 'ignore', detached: true });
    await removeTree(target, { below: base });
    const ended = new Promise((resolve) => hostile.once('exit', resolve));
    process.kill(-(hostile.pid as number), 'SIGKILL');
    await ended;
    expect(await removeTree(target, { below: base })).toEqual([]);
    expect(pictureOf(outside)).toEqual(before);
  }
}, 60_000);

test('without descriptor paths, folders are checked before each operation, and no link is followed', () => {
  const before = pictureOf(outside);
  const target = path.join(workspace, 'elsewhere');
  mkdirSync(path.join(target, 'inner'), { recursive: true });
  writeFileSync(path.join(target, 'inner', 'file'), 'x');
  for (const at of [path.join(target, 'link'), path.join(target, 'inner', 'link')]) symlinkSync(outside, at);
  symlinkSync(outside, path.join(workspace, 'away'));
  const script = `Object.defineProperty(process, 'platform', { value: 'darwin' });
    const { removeTree } = await import(process.argv[1]);
    const [target, away, below] = process.argv.slice(2);
    console.log(JSON.stringify([await removeTree(target, { below }), await removeTree(away, { below })]));`;
  const words = [
    path.join(import.meta.dirname, 'remove-tree.ts'),
    target,
    path.join(workspace, 'away', 'inner'),
    base,
  ];
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script, ...words], {
    encoding: 'utf8',
  });
  expect(JSON.parse(said)).toEqual([[], [expect.stringContaining('ENOTDIR')]]);
  expect(existsSync(target)).toBe(false);
  expect(pictureOf(outside)).toEqual(before);
});
