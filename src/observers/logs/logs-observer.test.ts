import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeObserverSetup, type ObserverSetup } from '../../../test/conformance/observer-setup.ts';
import { cutMark } from '../../kernel/cut-mark.ts';
import { defined } from '../../kernel/defined.ts';
import { observerLimits } from '../observer-limits.ts';
import { createLogScan } from './log-scan.ts';
import { logsObserver } from './logs-observer.ts';

let setup: ObserverSetup;
let file: string;
beforeEach(() => {
  setup = makeObserverSetup();
  file = setup.service('health').logFile;
});
afterEach(() => setup.clear());

const error = '\\b(ERROR|FATAL)\\b|Traceback';

test('new lines are found, look by look', async () => {
  const watch = await logsObserver.open(setup.context);
  const look = (match?: string) => watch.look(defined({ service: 'health', match }));
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

test('a carriage return ends a line, as a progress bar writes it', async () => {
  const watch = await logsObserver.open(setup.context);
  appendFileSync(file, '\rINFO 10%\rERROR boom\r\nnext\rERROR again\r20%');
  expect(await watch.look({ service: 'health', match: '^ERROR' })).toEqual([
    { line: 1, text: 'ERROR boom' },
    { line: 2, text: 'ERROR again' },
  ]);
  const texts = ['INFO 10%', 'ERROR boom', 'next', 'ERROR again', '20%'];
  expect(await watch.look({ service: 'health' })).toMatchObject(texts.map((text) => ({ text })));
  await watch.close();
});

test('bytes of a line that are not UTF-8 are marked', async () => {
  const watch = await logsObserver.open(setup.context);
  appendFileSync(file, Buffer.from('customer Müller\n', 'latin1'));
  expect(await watch.look({ service: 'health' })).toEqual([{ line: 1, text: 'customer M‹no-utf8›ller' }]);
  await watch.close();
});

test.each([
  ['removed', () => rmSync(file), /it is gone/],
  ['a pipe', () => execFileSync('sh', ['-c', 'rm "$0"; mkfifo "$0"', file]), /no longer a plain file/],
  ['moved away', () => execFileSync('sh', ['-c', 'mv "$0" "$0.1"; : > "$0"', file]), /another file/],
  ['cut', () => writeFileSync(file, 'x'), /emptied/],
  ['emptied and written to', () => writeFileSync(file, 'other\n'.repeat(20)), /emptied/],
] as const)('a log that is %s during the attempt cannot be seen any more', async (_how, lose, because) => {
  appendFileSync(file, 'from before\n');
  const watch = await logsObserver.open(setup.context);
  appendFileSync(file, 'ERROR\n');
  expect(await watch.look({ service: 'health' })).toEqual([{ line: 1, text: 'ERROR' }]);
  lose();
  await expect(watch.look({ service: 'health', match: 'ERROR' })).rejects.toThrow(because);
  await expect(watch.look({ service: 'health' })).rejects.toThrow(because);
  await watch.close();
});

test('a secret that was begun before the attempt is not seen without its beginning', async () => {
  appendFileSync(file, 'key: sk-l');
  const watch = await logsObserver.open(setup.context);
  appendFileSync(file, 'ive-Zq81LmNop');
  const shown = [{ line: 1, text: 'key: ‹secret:KEY›' }];
  expect(await watch.look({ service: 'health' })).toEqual(shown);
  appendFileSync(file, '\nnext\n');
  expect(await watch.look({ service: 'health' })).toEqual([...shown, { line: 2, text: 'next' }]);
  await watch.close();

  appendFileSync(file, 'waiting…');
  const later = await logsObserver.open(setup.context);
  appendFileSync(file, ' done\n');
  expect(await later.look({ service: 'health' })).toEqual([{ line: 1, text: ' done' }]);
  await later.close();
});

test('colours do not hide an error', async () => {
  const scan = createLogScan({
    file,
    from: statSync(file).size,
    signal: setup.context.signal,
    expression: error,
  });
  appendFileSync(file, '\x1b[31mERROR\x1b[0m red\nERR\x1b[1mOR half\n\x1b[32mfine\x1b[0m\n');
  const { lines } = await scan.next();
  expect(lines.map(({ text }) => text)).toEqual(['ERROR red', 'ERROR half']);
});

test('a hundred thousand lines with colours, or with a level each, are looked through in a moment', async () => {
  const expression =
    '\\b(?:ERROR|FATAL)\\b|"level":\\s*(?:"(?:error|fatal)"|[56]0\\b)|\\blevel=(?:error|fatal)\\b';
  appendFileSync(file, '\x1b[32mDEBUG\x1b[0m fine\n{"level":"info","msg":"fine"}\n'.repeat(50_000));
  appendFileSync(file, '{"level": "error"}\n');
  const scan = createLogScan({ file, from: 0, signal: setup.context.signal, expression });
  expect(await scan.next()).toMatchObject({ lines: [{ text: '{"level": "error"}' }], undecided: 0 });
}, 60_000);

test('a line that is not UTF-8 is not treated as one that does not match', async () => {
  const from = statSync(file).size;
  appendFileSync(file, Buffer.from('paid Jos\xe9\npaid ann\n', 'latin1'));
  const scan = (expression: string) =>
    createLogScan({ file, from, signal: setup.context.signal, expression }).next();
  expect(await scan('paid José')).toMatchObject({ lines: [], undecided: 1, foreign: 1 });
  expect(await scan('paid mallory')).toMatchObject({ lines: [], undecided: 0 });
  expect(await scan('paid Jos')).toMatchObject({ lines: [{ line: 1 }], undecided: 0 });
});

test('the gate receives each line once, and the unfinished one at the end', async () => {
  const from = statSync(file).size;
  const scan = createLogScan({ file, from, signal: setup.context.signal, expression: error });
  appendFileSync(file, 'fine\nERROR one\nFATAL: out of');
  expect(await scan.next()).toEqual({
    lines: [{ line: 2, text: 'ERROR one', offset: from + 5 }],
    omitted: 0,
    undecided: 0,
    cut: 0,
    foreign: 0,
  });
  expect(scan.unfinished()).toEqual({ line: 3, text: 'FATAL: out of', offset: from + 15 });
  appendFileSync(file, ' memory\n');
  expect((await scan.next()).lines).toEqual([{ line: 3, text: 'FATAL: out of memory', offset: from + 15 }]);
  expect(scan.unfinished()).toBeUndefined();
  expect((await scan.next()).lines).toEqual([]);
});

test('more errors than can be listed are counted', async () => {
  const scan = createLogScan({ file, from: 0, signal: setup.context.signal, expression: error, most: 3 });
  appendFileSync(file, 'ERROR\n'.repeat(10));
  expect(await scan.next()).toMatchObject({ lines: { length: 3 }, omitted: 7 });
});

test('an expression that runs away is given up, and reported as undecided', async () => {
  const runaway = '^(a+)+$';
  appendFileSync(file, `${'a'.repeat(60)}!\n`.repeat(10));
  const scan = createLogScan({ file, from: 0, signal: setup.context.signal, expression: runaway });
  expect(await scan.next()).toMatchObject({ lines: [], undecided: 10 });
  const watch = await logsObserver.open(setup.context);
  appendFileSync(file, `${'a'.repeat(60)}!\n`);
  await expect(watch.look({ service: 'health', match: runaway })).rejects.toThrow(/takes too long/);
  await watch.close();
});

test('very long lines are cut', async () => {
  const watch = await logsObserver.open(setup.context);
  appendFileSync(file, `${'x'.repeat(observerLimits.logLineBytes * 3)} ERROR\n`);
  const [line] = (await watch.look({ service: 'health' })) as { text: string }[];
  expect(line?.text).toBe(`${'x'.repeat(observerLimits.logLineBytes)}${cutMark}`);
  await watch.close();
});

test('what follows the place where a line is cut is found, or not known to be absent', async () => {
  const from = statSync(file).size;
  const { signal } = setup.context;
  appendFileSync(file, `${'x'.repeat(observerLimits.logLineBytes * 2)} ERROR\n`);
  const [found] = (await createLogScan({ file, from, signal, expression: error }).next()).lines;
  expect(found).toMatchObject({ text: 'x'.repeat(observerLimits.logLineBytes), isCut: true });
  const watch = await logsObserver.open(setup.context);
  const later = statSync(file).size;
  appendFileSync(file, `${'x'.repeat(observerLimits.logMatchBytes)} ERROR\n`);
  const scan = createLogScan({ file, from: later, signal, expression: error });
  expect(await scan.next()).toEqual({ lines: [], omitted: 0, undecided: 1, cut: 1, foreign: 0 });
  await expect(watch.look({ service: 'health', match: error })).rejects.toThrow(
    /a line is longer than 64 KB/,
  );
  expect(await watch.look({ service: 'health', match: 'nowhere in it' })).toEqual([]);
  expect(await watch.look({ service: 'health' })).toHaveLength(1);
  await watch.close();
});
