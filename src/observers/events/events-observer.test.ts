import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
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
import { type EventsQuery, eventsObserver } from './events-observer.ts';

let setup: ObserverSetup;
let watch: Watch<EventsQuery>;
let file: string;
beforeEach(async () => {
  setup = makeObserverSetup();
  file = setup.write('health', 'events.jsonl', '{"n":-2}\n{"n":-1}\n');
  watch = await eventsObserver.open(setup.context);
});
afterEach(async () => {
  await watch.close();
  setup.clear();
});

const line = (n: number): string => `{"n":${n}}\n`;
const add = (...numbers: number[]): void => appendFileSync(file, numbers.map(line).join(''));
const look = (query: Partial<EventsQuery> = {}): Promise<unknown> =>
  watch.look({ service: 'health', file: 'events.jsonl', ...query });

test('what is appended is seen once, in its order, and a torn line not yet', async () => {
  expect(await look()).toEqual([]);
  add(1);
  appendFileSync(file, '{"n":');
  expect(await look()).toEqual([{ n: 1 }]);
  appendFileSync(file, '2}\n\n  \nbroken\n[3]\n');
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }, { $broken: 'broken' }, [3]]);
  expect(await look({ where: { n: { $gte: 2 } } })).toEqual([{ n: 2 }]);
});

test.each<[string, () => void]>([
  ['emptied', () => truncateSync(file, 0)],
  ['emptied, and longer than before', () => writeFileSync(file, [11, 12, 13, 14, 15].map(line).join(''))],
  ['removed', () => rmSync(file)],
  ['replaced', () => rmSync(file)],
])('the last writes to a file that was %s are unknown, and nothing about it is denied', async (how, lose) => {
  add(1);
  expect(await look()).toEqual([{ n: 1 }]);
  add(2);
  lose();
  if (how !== 'removed') add(3);
  for (const where of [undefined, { n: 2 }, { n: 3 }])
    await expect(look(where && { where })).rejects.toThrow(/^events\.jsonl was emptied, replaced or removed/);
});

test('a file that was emptied and has its old content again may have said something between', async () => {
  utimesSync(file, 1, 1);
  const later = await eventsObserver.open(setup.context);
  const query = { service: 'health', file: 'events.jsonl' };
  expect(await later.look(query)).toEqual([]);
  writeFileSync(file, line(7));
  writeFileSync(file, '{"n":-2}\n{"n":-1}\n');
  await expect(later.look(query)).rejects.toThrow('was emptied');
  await later.close();
});

test('a file that was emptied before the first look is not known either', async () => {
  add(1);
  truncateSync(file, 0);
  add(2);
  await expect(look()).rejects.toThrow('is not known');
});

test('what one check has read of a file is lost for the others, too, when it is emptied', async () => {
  const late = setup.write('health', 'late.jsonl', line(1));
  expect(await look({ file: 'late.jsonl', where: { n: 2 } })).toEqual([]);
  writeFileSync(late, [3, 4].map(line).join(''));
  await expect(look({ file: 'late.jsonl', where: { n: 1 } })).rejects.toThrow('was emptied');
});

test('a renamed file is still read, and there is no new one yet', async () => {
  add(1);
  expect(await look()).toEqual([{ n: 1 }]);
  add(2);
  renameSync(file, `${file}.1`);
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }]);
  appendFileSync(`${file}.1`, line(3));
  add(4);
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
});

test('what was written last before a rotation is found under the new name', async () => {
  add(1);
  expect(await look()).toEqual([{ n: 1 }]);
  add(2);
  renameSync(file, `${file}.1`);
  writeFileSync(file, line(3));
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('a rotation before the first look loses nothing, and a glob for both counts nothing twice', async () => {
  add(1);
  renameSync(file, path.join(path.dirname(file), 'events.1.jsonl'));
  writeFileSync(file, line(2));
  const expected = [{ n: 1 }, { n: 2 }];
  expect(await look()).toEqual(expected);
  expect(await look({ file: 'events*.jsonl' })).toEqual(expected);
});

test('a rotation between two looks of a glob counts nothing twice', async () => {
  add(1);
  expect(await look({ file: 'events*.jsonl' })).toEqual([{ n: 1 }]);
  renameSync(file, path.join(path.dirname(file), 'events.1.jsonl'));
  writeFileSync(file, line(2));
  expect(await look({ file: 'events*.jsonl' })).toEqual([{ n: 1 }, { n: 2 }]);
});

/** As `RotatingFileHandler` does it: the numbers move up, and a new file gets the name. */
const rotate = (...numbers: number[]): void => {
  for (const n of [3, 2, 1]) if (existsSync(`${file}.${n}`)) renameSync(`${file}.${n}`, `${file}.${n + 1}`);
  if (existsSync(file)) renameSync(file, `${file}.1`);
  if (numbers.length > 0) writeFileSync(file, numbers.map(line).join(''));
};

test('a rotation is not an event: no condition and no count sees it', async () => {
  add(1);
  rotate(2);
  expect(await look({ where: { n: 1 } })).toEqual([{ n: 1 }]);
  expect(await look({ where: { n: 3 } })).toEqual([]);
});

test.each([[[3]], [[]]])(
  'what any check saw is read by every check after it was renamed: %j',
  async (next) => {
    file = path.join(path.dirname(file), 'late.jsonl');
    const late = { file: 'late.jsonl' };
    add(1);
    expect(await look({ ...late, where: { n: 1 } })).toEqual([{ n: 1 }]);
    add(2);
    rotate(...next);
    expect(await look({ ...late, where: { n: 2 } })).toEqual([{ n: 2 }]);
    expect(await look(late)).toEqual([1, 2, ...next].map((n) => ({ n })));
  },
);

test('rotations with a look after each are read whole by every check', async () => {
  add(1);
  expect(await look({ where: { n: 0 } })).toEqual([]);
  rotate(2);
  expect(await look({ where: { n: 0 } })).toEqual([]);
  rotate(3);
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('two rotations between two looks are unknown, unless a glob names all the files', async () => {
  add(1);
  rotate(2);
  rotate(3);
  expect(await look({ file: 'events.jsonl*' })).toEqual([{ n: 1 }, { n: 3 }, { n: 2 }]);
  for (const where of [undefined, { n: 2 }])
    await expect(look(where && { where })).rejects.toThrow(
      /^events\.jsonl\.1 was written during the attempt/,
    );
  rotate(4);
  expect(await look({ file: 'events.jsonl*' })).toEqual([{ n: 1 }, { n: 3 }, { n: 4 }, { n: 2 }]);
});

test.each([[[2]], [[]]])(
  'a file that was created and renamed before the first look is unknown: %j',
  async (next) => {
    file = path.join(path.dirname(file), 'late.jsonl');
    add(1);
    rotate(...next);
    await expect(look({ file: 'late.jsonl' })).rejects.toThrow(/^late\.jsonl\.1 was written/);
  },
);

test('files with similar names that rotation does not give are left alone', async () => {
  add(1);
  for (const name of ['events-audit.jsonl', 'events.jsonl.lock', 'other.jsonl.1'])
    setup.write('health', name, line(9));
  expect(await look()).toEqual([{ n: 1 }]);
});

test('new files are read from their beginning, in the order of their paths', async () => {
  setup.write('health', 'log/b.jsonl', line(2));
  setup.write('health', 'log/a.jsonl', line(1));
  expect(await look({ file: '**/*.jsonl' })).toEqual([{ n: 1 }, { n: 2 }]);
});

test('files next to the config: known ones from their mark, others when that is certain', async () => {
  const folder = path.join(setup.context.systemFolder, 'var');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'a.jsonl'), line(0));
  writeFileSync(path.join(folder, 'untold.txt'), line(0));
  const later = await eventsObserver.open(setup.context);
  appendFileSync(path.join(folder, 'a.jsonl'), line(1));
  expect(await later.look({ file: 'var/a.jsonl' })).toEqual([{ n: 1 }]);
  writeFileSync(path.join(folder, 'new.txt'), line(2));
  expect(await later.look({ file: 'var/new.txt' })).toEqual([{ n: 2 }]);
  await later.close();
});

test('a line that is too long is unknown, and those after it are read', async () => {
  appendFileSync(file, `"${'x'.repeat(observerLimits.eventBytes)}"\n{"n":1}\n`);
  expect(await look()).toEqual([notKept, { n: 1 }]);
  await expect(look({ where: { n: 1 } })).rejects.toThrow(
    /longer than 1 MB, so that `where` cannot be decided/,
  );
});

test('what is not UTF-8, or has a duplicate key, is not JSON', async () => {
  appendFileSync(
    file,
    Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xe9), Buffer.from('"}\n{"a":1,"a":2}\n')]),
  );
  expect(await look()).toEqual([{ $broken: '{"a":"\ufffd"}' }, { $broken: '{"a":1,"a":2}' }]);
  await expect(look({ where: { a: 1 } })).rejects.toThrow(/`where` cannot be decided: what cannot be read/);
});

test.each(['', '\ufeff'])('what is UTF-16 may be any event: mark %j', async (mark) => {
  appendFileSync(file, Buffer.from(`${mark}{"n":7}\r\n`, 'utf16le'));
  await expect(look({ where: { n: 7 } })).rejects.toThrow(/`where` cannot be decided: what cannot be read/);
});

test('a copy of an old file is a new file', async () => {
  copyFileSync(file, path.join(path.dirname(file), 'copy.jsonl'));
  expect(await look({ file: '*.jsonl' })).toEqual([{ n: -2 }, { n: -1 }]);
});

test('the last event counts without the end of its line, and once', async () => {
  add(1);
  appendFileSync(file, '{"n":2}');
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await look({ where: { n: 1 } })).toEqual([{ n: 1 }]);
  appendFileSync(file, '\n{"n":3');
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }]);
  appendFileSync(file, '}');
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  renameSync(file, `${file}.1`);
  writeFileSync(file, '4');
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('a pipe or a link in the place of a file is not an empty file', async () => {
  execFileSync('mkfifo', [path.join(path.dirname(file), 'pipe.jsonl')]);
  symlinkSync(file, path.join(path.dirname(file), 'link.jsonl'));
  for (const name of ['pipe.jsonl', 'link.jsonl'])
    await expect(look({ file: name })).rejects.toThrow(`${name} is not a plain file`);
});
