import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeObserverSetup, type ObserverSetup } from '../../../test/conformance/observer-setup.ts';
import { notKept } from '../../kernel/not-kept.ts';
import type { Watch } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { type FilesQuery, filesObserver } from './files-observer.ts';

let setup: ObserverSetup;
let watch: Watch<FilesQuery>;

beforeEach(async () => {
  setup = makeObserverSetup();
  watch = await filesObserver.open(setup.context);
});
afterEach(async () => {
  await watch.close();
  setup.clear();
});

const look = (query: FilesQuery): Promise<readonly Record<string, unknown>[]> =>
  watch.look(query) as Promise<readonly Record<string, unknown>[]>;

const paths = async (query: FilesQuery): Promise<readonly unknown[]> =>
  (await look(query)).map(({ path: name }) => name);

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

test('a set of files with their hashes, in the order of their paths', async () => {
  setup.write('health', 'b/.hidden', 'x');
  setup.write('health', 'a.txt', 'hello');
  mkdirSync(path.join(setup.service('health').folders.dir, 'empty'));
  expect(await look({ service: 'health' })).toEqual([
    { path: 'a.txt', mode: expect.stringMatching(/^6\d\d$/), bytes: 5, sha256: sha256('hello') },
    { path: 'b/.hidden', mode: expect.stringMatching(/^6\d\d$/), bytes: 1, sha256: sha256('x') },
  ]);
  expect(await look({ service: 'general' })).toEqual([]);
});

test('the other folders of a service, and folders next to the config', async () => {
  const { home, tmp } = setup.service('health').folders;
  writeFileSync(path.join(home, 'h.txt'), 'h');
  writeFileSync(path.join(tmp, 't.txt'), 't');
  mkdirSync(path.join(setup.context.systemFolder, 'out/deep'), { recursive: true });
  writeFileSync(path.join(setup.context.systemFolder, 'out/deep/o.txt'), 'o');
  expect(await paths({ service: 'health', path: 'home:**' })).toEqual(['home:h.txt']);
  expect(await paths({ service: 'health', folder: 'tmp:' })).toEqual(['t.txt']);
  expect(await paths({ folder: 'out', path: '**/*.txt' })).toEqual(['deep/o.txt']);
  expect(await paths({ folder: path.join(setup.context.systemFolder, 'out/deep') })).toEqual(['o.txt']);
  expect(await paths({ folder: 'not-yet-there' })).toEqual([]);
});

test('links are reported; their targets are read only inside the folder', async () => {
  const { dir } = setup.service('health').folders;
  setup.write('health', 'real.txt', 'real');
  setup.write('general', 'secret.txt', 'secret');
  symlinkSync('real.txt', path.join(dir, 'inside'));
  symlinkSync(path.join(setup.service('general').folders.dir, 'secret.txt'), path.join(dir, 'outside'));
  symlinkSync('..', path.join(dir, 'up'));
  symlinkSync('.', path.join(dir, 'loop'));
  symlinkSync('nowhere', path.join(dir, 'dangling'));
  const seen = await look({ service: 'health', as: 'text' });
  expect(seen).toMatchObject([
    { path: 'dangling', link: 'nowhere' },
    { path: 'inside', link: 'real.txt', text: 'real' },
    { path: 'loop', link: '.' },
    { path: 'outside', link: expect.stringContaining('secret.txt') },
    { path: 'real.txt', text: 'real' },
    { path: 'up', link: '..' },
  ]);
  expect(seen[3]).not.toHaveProperty('sha256');
  const where = { text: { $contains: 'secret' } };
  await expect(look({ service: 'health', as: 'text', path: 'outside', where })).rejects.toThrow(
    'outside is a link out of its folder',
  );
  expect(await look({ service: 'health', as: 'text', path: 'real.txt', where })).toEqual([]);
});

test('a folder that was replaced by a link is named, and what is behind it is not looked at', async () => {
  const { tmp } = setup.service('health').folders;
  mkdirSync(`${tmp}.2`);
  writeFileSync(path.join(`${tmp}.2`, 'outside.txt'), 'x');
  rmSync(tmp, { recursive: true });
  symlinkSync(`${tmp}.2`, tmp);
  await expect(look({ service: 'health', folder: 'tmp:' })).rejects.toThrow(
    /health was replaced by a link, .*tmp/,
  );
  expect(await paths({ service: 'health', folder: 'home:' })).toEqual([]);
});

test('what is not a file is never opened', async () => {
  execFileSync('mkfifo', [path.join(setup.service('health').folders.dir, 'pipe')]);
  expect(await look({ service: 'health', as: 'text' })).toEqual([
    { path: 'pipe', mode: expect.stringMatching(/^6\d\d$/), broken: 'neither a file nor a link' },
  ]);
});

test('a change is seen even when size and date stay', async () => {
  const file = setup.write('health', 'a.txt', 'one');
  const longAgo = new Date('2026-01-01');
  const hash = async (): Promise<unknown> => (await look({ service: 'health' }))[0]?.sha256;
  utimesSync(file, longAgo, longAgo);
  expect(await hash()).toBe(sha256('one'));
  for (const content of ['two', 'six', 'ten']) {
    writeFileSync(file, content);
    utimesSync(file, longAgo, longAgo);
    expect(await hash()).toBe(sha256(content));
  }
});

test('where chooses among them', async () => {
  setup.write('health', 'a.json', '{"open":true}');
  setup.write('health', 'b.json', '{"open":false}');
  const seen = await look({ service: 'health', as: 'json', where: { json: { open: true } } });
  expect(seen).toMatchObject([{ path: 'a.json' }]);
});

test('a file that is not of its form is not treated as one that where excludes', async () => {
  setup.write('health', 'a.json', '{"open":true}');
  setup.write('health', 'b.json', '{"open":');
  const chosen = (where: unknown) => paths({ service: 'health', as: 'json', where });
  for (const where of [{ json: { open: true } }, { $any: [{ json: { open: true } }, { bytes: 0 }] }])
    await expect(chosen(where)).rejects.toMatchObject({
      retryable: true,
      message: expect.stringMatching(/^b\.json cannot be read as json: no json: /),
    });
  expect(await chosen({ path: 'a.json', json: { open: true } })).toEqual(['a.json']);
  expect(await chosen({ bytes: { $gt: 9 } })).toEqual(['a.json']);
  expect(await chosen({ json: { $absent: true } })).toEqual(['b.json']);
  expect(await chosen({ json: { open: true }, broken: { $absent: true } })).toEqual(['a.json']);
  expect(await chosen({ broken: { $regex: 'no json' } })).toEqual(['b.json']);
});

test('a condition on a map, and a file with several YAML documents', async () => {
  setup.write('health', 'one.yaml', 'kind: Secret\n');
  setup.write('health', 'list.yaml', '- kind: Secret\n- kind: Service\n');
  setup.write('health', 'same.yaml', 'kind: Service\n---\nkind: Service\n---\n');
  const asked = (yaml: unknown, file = '*'): Promise<readonly unknown[]> =>
    paths({ service: 'health', path: file, as: 'yaml', where: { yaml } });
  expect(await asked({ kind: 'Secret' })).toEqual(['one.yaml']);
  expect(await asked({ kind: 'Service' })).toEqual(['same.yaml']);
  expect(await asked({ $not: { kind: 'Service' } }, 'same.yaml')).toEqual([]);
  expect(await asked({ $some: { kind: 'Service' } })).toEqual(['list.yaml', 'same.yaml']);
  setup.write('health', 'two.yaml', 'kind: Service\n---\nkind: Secret\n');
  for (const map of [{ kind: 'Secret' }, { $not: { kind: 'Secret' } }, { $path: { kind: 'Secret' } }])
    await expect(asked(map)).rejects.toThrow(
      'two.yaml has several documents, and only some of them match; ask for `yaml: { $some: … }`',
    );
  expect(await asked({ kind: 'Ingress' })).toEqual([]);
  expect(await asked({ $some: { kind: 'Secret' } }, 'two.yaml')).toEqual(['two.yaml']);
});

test('a condition on a YAML value with two readings is unknown', async () => {
  setup.write('health', 'a.yaml', 'admin: yes\nname: ann\n');
  const asked = (yaml: unknown) => paths({ service: 'health', as: 'yaml', where: { yaml } });
  expect(await asked({ name: 'ann' })).toEqual(['a.yaml']);
  await expect(asked({ admin: true })).rejects.toThrow('`yes` without quotes is true in YAML 1.1');
  await expect(asked({ admin: { $ne: true } })).rejects.toThrow('cannot be decided');
});

test('a condition on what no file has is a mistake', async () => {
  await expect(look({ service: 'health', where: { byts: 0 } })).rejects.toMatchObject({
    retryable: false,
    message: '`where`: a file as hash has no key byts; did you mean bytes?',
  });
  await expect(look({ service: 'health', where: { json: {} } })).rejects.toThrow(
    /a file as hash has no key json/,
  );
});

test('a huge file, which may be sparse, is not read; what does not depend on its content is known', async () => {
  truncateSync(setup.write('health', 'data.mdb', ''), 100 * 1024 ** 3);
  const huge = { path: 'data.mdb', mode: expect.any(String), bytes: 100 * 1024 ** 3 };
  const unread = {
    sha256: { $dropped: { what: 'data.mdb, 107374182400 bytes' } },
    broken: 'larger than 2 GB',
  };
  expect(await look({ service: 'health' })).toEqual([{ ...huge, ...unread }]);
  expect(await look({ service: 'health', as: 'text' })).toEqual([{ ...huge, ...unread, text: notKept }]);
});

test('a large file is hashed and not read as a structure', async () => {
  const file = setup.write('health', 'large.json', '[');
  truncateSync(file, observerLimits.parsedBytes + 1);
  appendFileSync(file, ']');
  const content = Buffer.concat([
    Buffer.from('['),
    Buffer.alloc(observerLimits.parsedBytes),
    Buffer.from(']'),
  ]);
  expect(await look({ service: 'health', as: 'json' })).toEqual([
    {
      path: 'large.json',
      mode: expect.stringMatching(/^6\d\d$/),
      bytes: content.length,
      sha256: sha256(content),
      json: notKept,
      broken: 'larger than 8 MB',
    },
  ]);
});

test('a mode in where, in every spelling of its octal digits', async () => {
  chmodSync(setup.write('health', 'open', 'x'), 0o777);
  chmodSync(setup.write('health', 'owned', 'x'), 0o4640);
  chmodSync(setup.write('health', 'closed', 'x'), 0o044);
  const chosen = (mode: unknown): Promise<readonly unknown[]> =>
    paths({ service: 'health', where: { mode } });
  for (const mode of ['777', '0777', '0o777', '00777', { $eq: '0777' }, { $any: ['0777', '0600'] }])
    expect([mode, await chosen(mode)]).toEqual([mode, ['open']]);
  expect(await chosen('04640')).toEqual(['owned']);
  expect(await chosen('0044')).toEqual(['closed']);
  expect(await chosen({ $not: '0777' })).toEqual(['closed', 'owned']);
  expect(await chosen({ $ne: '0777', $regex: '7$' })).toEqual([]);
  expect(await paths({ service: 'health', where: { $not: { $any: [{ mode: '0777' }] } } })).toHaveLength(2);
  for (const mode of ['rwxrwxrwx', '888', 511, 777, '100777', '', { $any: ['777', 'a+w'] }, { $ne: 'u+s' }])
    await expect(chosen(mode)).rejects.toMatchObject({
      retryable: false,
      message: expect.stringMatching(
        /^`where`: .+ is not a mode; write its octal digits as a text, such as "644"/,
      ),
    });
});
