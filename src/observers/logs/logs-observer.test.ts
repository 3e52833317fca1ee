import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeObserverStage, type ObserverStage } from '../../../test/conformance/observer-stage.ts';
import { cutMark } from '../../kernel/cut-mark.ts';
import { observerLimits } from '../observer-limits.ts';
import { logEnd } from './log-reader.ts';
import { createLogScan } from './log-scan.ts';
import { logsObserver } from './logs-observer.ts';

let stage: ObserverStage;
let file: string;
beforeEach(() => {
  stage = makeObserverStage();
  file = stage.service('health').logFile;
});
afterEach(() => stage.clear());

const error = '\\b(ERROR|FATAL)\\b|Traceback';

test('new lines are found, look by look', async () => {
  const watch = await logsObserver.open(stage.context);
  const look = (match?: string) =>
    watch.look({ service: 'health', ...(match === undefined ? {} : { match }) });
  appendFileSync(file, 'INFO a\r\nERROR b\n');
  expect(await look(error)).toEqual([{ line: 2, text: 'ERROR b' }]);
  appendFileSync(file, 'Trace');
  expect(await look(error)).toEqual([{ line: 2, text: 'ERROR b' }]);
  appendFileSync(file, 'back (most recent call last):\n');
  expect(await look(error)).toEqual([
    { line: 2, text: 'ERROR b' },
    { line: 3, text: 'Traceback (most recent call last):' },
  ]);
  expect(await look('^INFO')).toEqual([{ line: 1, text: 'INFO a' }]);
  expect(await look()).toHaveLength(3);
  await watch.close();
});

test('a log that is made later begins at its beginning, and a cut one begins anew', async () => {
  rmSync(file);
  const watch = await logsObserver.open(stage.context);
  expect(await watch.look({ service: 'health' })).toEqual([]);
  writeFileSync(file, 'first\n');
  expect(await watch.look({ service: 'health' })).toEqual([{ line: 1, text: 'first' }]);
  writeFileSync(file, 'two\n');
  expect(await watch.look({ service: 'health' })).toMatchObject([{ text: 'first' }, { text: 'two' }]);
  await watch.close();
});

test('colours do not hide an error', async () => {
  const scan = createLogScan({
    file,
    from: await logEnd(file),
    signal: stage.context.signal,
    expression: error,
  });
  appendFileSync(file, '\x1b[31mERROR\x1b[0m red\nERR\x1b[1mOR half\n\x1b[32mfine\x1b[0m\n');
  const { lines } = await scan.next();
  expect(lines.map(({ text }) => text)).toEqual(['ERROR red', 'ERROR half']);
});

test('the gate hears each line once, and the unfinished one at the end', async () => {
  const from = await logEnd(file);
  const scan = createLogScan({ file, from, signal: stage.context.signal, expression: error });
  appendFileSync(file, 'fine\nERROR one\nFATAL: out of');
  expect(await scan.next()).toEqual({
    lines: [{ line: 2, text: 'ERROR one', offset: from + 5 }],
    omitted: 0,
    undecided: 0,
    cut: 0,
  });
  expect(scan.unfinished()).toEqual({ line: 3, text: 'FATAL: out of', offset: from + 15 });
  appendFileSync(file, ' memory\n');
  expect((await scan.next()).lines).toEqual([{ line: 3, text: 'FATAL: out of memory', offset: from + 15 }]);
  expect(scan.unfinished()).toBeUndefined();
  expect((await scan.next()).lines).toEqual([]);
});

test('more errors than can be listed are counted', async () => {
  const scan = createLogScan({ file, from: 0, signal: stage.context.signal, expression: error, most: 3 });
  appendFileSync(file, 'ERROR\n'.repeat(10));
  expect(await scan.next()).toMatchObject({ lines: { length: 3 }, omitted: 7 });
});

test('an expression that runs away is given up, and said to be undecided', async () => {
  const runaway = '^(a+)+$';
  appendFileSync(file, `${'a'.repeat(60)}!\n`.repeat(10));
  const scan = createLogScan({ file, from: 0, signal: stage.context.signal, expression: runaway });
  expect(await scan.next()).toMatchObject({ lines: [], undecided: 10 });
  const watch = await logsObserver.open(stage.context);
  appendFileSync(file, `${'a'.repeat(60)}!\n`);
  await expect(watch.look({ service: 'health', match: runaway })).rejects.toThrow(/takes too long/);
  await watch.close();
});

test('very long lines are cut', async () => {
  const watch = await logsObserver.open(stage.context);
  appendFileSync(file, `${'x'.repeat(observerLimits.logLineBytes * 3)} ERROR\n`);
  const [line] = (await watch.look({ service: 'health' })) as { text: string }[];
  expect(line?.text).toBe(`${'x'.repeat(observerLimits.logLineBytes)}${cutMark}`);
  await watch.close();
});

test('what stands behind the place where a line is cut is found, or not known to be absent', async () => {
  const from = await logEnd(file);
  const { signal } = stage.context;
  appendFileSync(file, `${'x'.repeat(observerLimits.logLineBytes * 2)} ERROR\n`);
  const [found] = (await createLogScan({ file, from, signal, expression: error }).next()).lines;
  expect(found).toMatchObject({ text: 'x'.repeat(observerLimits.logLineBytes), isCut: true });
  const watch = await logsObserver.open(stage.context);
  const later = await logEnd(file);
  appendFileSync(file, `${'x'.repeat(observerLimits.logMatchBytes)} ERROR\n`);
  const scan = createLogScan({ file, from: later, signal, expression: error });
  expect(await scan.next()).toEqual({ lines: [], omitted: 0, undecided: 1, cut: 1 });
  await expect(watch.look({ service: 'health', match: error })).rejects.toThrow(
    /a line is longer than 64 KB/,
  );
  expect(await watch.look({ service: 'health', match: 'nowhere in it' })).toEqual([]);
  expect(await watch.look({ service: 'health' })).toHaveLength(1);
  await watch.close();
});
