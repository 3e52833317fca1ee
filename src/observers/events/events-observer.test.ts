import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeObserverStage, type ObserverStage } from '../../../test/conformance/observer-stage.ts';
import { notKept } from '../../kernel/not-kept.ts';
import type { Watch } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { type EventsQuery, eventsObserver } from './events-observer.ts';

let stage: ObserverStage;
let watch: Watch<EventsQuery>;
let file: string;
beforeEach(async () => {
  stage = makeObserverStage();
  file = stage.write('health', 'events.jsonl', '{"n":-2}\n{"n":-1}\n');
  watch = await eventsObserver.open(stage.context);
});
afterEach(async () => {
  await watch.close();
  stage.clear();
});

const line = (n: number): string => `{"n":${n}}\n`;
const add = (...numbers: number[]): void => appendFileSync(file, numbers.map(line).join(''));
const look = (query: Partial<EventsQuery> = {}): Promise<unknown> =>
  watch.look({ service: 'health', file: 'events.jsonl', ...query });
const rotated = { $rotated: true };

test('what is appended is seen once, in its order, and a torn line not yet', async () => {
  expect(await look()).toEqual([]);
  add(1);
  appendFileSync(file, '{"n":');
  expect(await look()).toEqual([{ n: 1 }]);
  appendFileSync(file, '2}\n\n  \nbroken\n[3]\n');
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }, { $broken: 'broken' }, [3]]);
  expect(await look({ where: { n: { $gte: 2 } } })).toEqual([{ n: 2 }]);
});

test('a file that is cut begins anew, and that is told', async () => {
  add(1, 2);
  expect(await look()).toHaveLength(2);
  truncateSync(file, 0);
  add(3);
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }, rotated, { n: 3 }]);
  expect(await look({ where: { n: 3 } })).toEqual([rotated, { n: 3 }]);
});

test('a file that is cut and grows beyond its old length is not taken for the old one', async () => {
  add(1);
  expect(await look()).toEqual([{ n: 1 }]);
  writeFileSync(file, [11, 12, 13, 14, 15].map(line).join(''));
  expect(await look()).toEqual([{ n: 1 }, rotated, ...[11, 12, 13, 14, 15].map((n) => ({ n }))]);
});

test('what was written last before a rotation is found under the new name', async () => {
  add(1);
  expect(await look()).toEqual([{ n: 1 }]);
  add(2);
  renameSync(file, `${file}.1`);
  writeFileSync(file, line(3));
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }, rotated, { n: 3 }]);
});

test('a rotation before the first look loses nothing, and a glob for both counts nothing twice', async () => {
  add(1);
  renameSync(file, path.join(path.dirname(file), 'events.1.jsonl'));
  writeFileSync(file, line(2));
  const expected = [{ n: 1 }, rotated, { n: 2 }];
  expect(await look()).toEqual(expected);
  expect(await look({ file: 'events*.jsonl' })).toEqual(expected);
});

test('a rotation between two looks of a glob counts nothing twice', async () => {
  add(1);
  expect(await look({ file: 'events*.jsonl' })).toEqual([{ n: 1 }]);
  renameSync(file, path.join(path.dirname(file), 'events.1.jsonl'));
  writeFileSync(file, line(2));
  expect(await look({ file: 'events*.jsonl' })).toEqual([{ n: 1 }, rotated, { n: 2 }]);
});

test('a file that is deleted keeps what was seen of it', async () => {
  add(1);
  expect(await look()).toEqual([{ n: 1 }]);
  rmSync(file);
  expect(await look()).toEqual([{ n: 1 }]);
});

test('new files are read from their beginning, in the order of their paths', async () => {
  stage.write('health', 'log/b.jsonl', line(2));
  stage.write('health', 'log/a.jsonl', line(1));
  expect(await look({ file: '**/*.jsonl' })).toEqual([{ n: 1 }, { n: 2 }]);
});

test('files beside the config: known ones from their mark, others when that is certain', async () => {
  const folder = path.join(stage.context.systemFolder, 'var');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'a.jsonl'), line(0));
  writeFileSync(path.join(folder, 'untold.txt'), line(0));
  const later = await eventsObserver.open(stage.context);
  appendFileSync(path.join(folder, 'a.jsonl'), line(1));
  expect(await later.look({ file: 'var/a.jsonl' })).toEqual([{ n: 1 }]);
  writeFileSync(path.join(folder, 'new.txt'), line(2));
  expect(await later.look({ file: 'var/new.txt' })).toEqual([{ n: 2 }]);
  await later.close();
});

test('a line that is too long is not known, and those after it are well', async () => {
  appendFileSync(file, `"${'x'.repeat(observerLimits.eventBytes)}"\n{"n":1}\n`);
  expect(await look()).toEqual([notKept, { n: 1 }]);
  await expect(look({ where: { n: 1 } })).rejects.toThrow(
    /longer than 1 MB, so that `where` cannot be decided/,
  );
});

test('what is no UTF-8, or has a key twice, is no JSON', async () => {
  appendFileSync(
    file,
    Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xe9), Buffer.from('"}\n{"a":1,"a":2}\n')]),
  );
  expect(await look()).toEqual([{ $broken: '{"a":"\ufffd"}' }, { $broken: '{"a":1,"a":2}' }]);
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
  expect(await look()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, rotated]);
});
