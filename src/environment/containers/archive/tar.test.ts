import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderEntries } from './folder-entries.ts';
import { type TarEntry, writeTar } from './tar.ts';

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'shakedown-tar-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** Through the machine's own tar. */
async function unpacked(entries: AsyncIterable<TarEntry> | Iterable<TarEntry>): Promise<string> {
  const to = folder();
  const pieces: Uint8Array[] = [];
  for await (const piece of writeTar(entries)) pieces.push(piece);
  const all = Buffer.concat(pieces);
  expect(all.length % 512).toBe(0);
  execFileSync('tar', ['-xf', '-', '-C', to], { input: all });
  return to;
}

test('files, folders and links arrive with their modes', async () => {
  const from = folder();
  const long = 'x'.repeat(90);
  mkdirSync(path.join(from, 'a', long), { recursive: true });
  writeFileSync(path.join(from, 'a', long, 'ünï'.repeat(12)), 'deep');
  writeFileSync(path.join(from, 'run.sh'), 'y'.repeat(1_000_000), { mode: 0o755 });
  writeFileSync(path.join(from, 'empty'), '');
  symlinkSync('run.sh', path.join(from, 'link'));
  symlinkSync(`a/${long}/${'z'.repeat(40)}`, path.join(from, 'far'));
  const to = await unpacked(folderEntries({ folder: from, where: 'here' }));
  expect(readFileSync(path.join(to, 'a', long, 'ünï'.repeat(12)), 'utf8')).toBe('deep');
  expect(readFileSync(path.join(to, 'run.sh'), 'utf8')).toBe('y'.repeat(1_000_000));
  expect(statSync(path.join(to, 'run.sh')).mode & 0o777).toBe(0o755);
  expect(statSync(path.join(to, 'empty')).size).toBe(0);
  expect(readlinkSync(path.join(to, 'link'))).toBe('run.sh');
  expect(readlinkSync(path.join(to, 'far'))).toBe(`a/${long}/${'z'.repeat(40)}`);
});

test('a file that has changed since it was listed does not spoil the next', async () => {
  const file = (name: string, size: number, text: string): TarEntry => ({
    ...{ name, type: 'file', mode: 0o644, uid: 0, gid: 0, mtimeMs: 0, size },
    content: async function* () {
      yield Buffer.from(text);
    },
  });
  const to = await unpacked([file('shrunk', 600, 'abc'), file('grown', 2, 'abc'), file('next', 3, 'abc')]);
  expect(readFileSync(path.join(to, 'shrunk'), 'latin1')).toBe(`abc${'\0'.repeat(597)}`);
  expect(readFileSync(path.join(to, 'grown'), 'utf8')).toBe('ab');
  expect(readFileSync(path.join(to, 'next'), 'utf8')).toBe('abc');
});

test('only what is kept', async () => {
  const from = folder();
  mkdirSync(path.join(from, 'out', 'in'), { recursive: true });
  for (const name of ['a', 'out/b', 'out/in/c']) writeFileSync(path.join(from, name), name);
  const names: string[] = [];
  const keeps = (name: string) => ({ isIn: name !== 'out' && name !== 'out/b', isSearched: true });
  for await (const { name } of folderEntries({ folder: from, where: 'here', keeps })) names.push(name);
  expect(names).toEqual(['a', 'out/in', 'out/in/c']);
});
