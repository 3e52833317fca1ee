import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { errorTexts } from './error-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'shakedown-error-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The error line that begins with the second line of a log. */
function told(log: string): string | undefined {
  const file = join(folder, 'a.log');
  writeFileSync(file, `INFO up\n${log}`);
  return errorTexts(file, [{ line: 2, offset: 8, text: (log.split('\n')[0] ?? '').trimEnd() }])[0];
}

const head = 'Traceback (most recent call last)';
const frame = '  File "svc.py", line 4, in f\n    raise ConnectionError("telegram is off")';

test.each([
  [
    `${head}:\n${frame}\nConnectionError: telegram is off\nINFO on\n`,
    `${head}: … ConnectionError: telegram is off`,
  ],
  [`${head}:\r\n  File "a"\r\n\x1b[31mKeyError\x1b[0m: 'a'\r\n`, `${head}: … KeyError: 'a'`],
  [
    `  + Exception Group ${head}:\n  |   File "a"\n  | ExceptionGroup: two (2 sub-exceptions)\n  +-+---------\n    | ${head}:\n    | ValueError: x\n`,
    `  + Exception Group ${head}: … ExceptionGroup: two (2 sub-exceptions)`,
  ],
  [`    | ${head}:\n    |   File "a"\n    | ValueError: x\n`, `    | ${head}: … ValueError: x`],
  [
    `╭── ${head} ──╮\n│ svc.py:4 in f │\n╰──────────────╯\nValueError: x\n`,
    `╭── ${head} ──╮ … ValueError: x`,
  ],
])('a traceback is told with its exception: %j', (log, text) => {
  expect(told(log)).toBe(text);
});

test.each([
  ['another line', 'ERROR lost\nValueError: x\n', 'ERROR lost'],
  ['one that is still being written', `${head}:\n${frame}\nConnectionErr`, `${head}:`],
  ['one without an end', `${head}:\n${frame}\n`, `${head}:`],
])('%s is told as it is', (_, log, text) => {
  expect(told(log)).toBe(text);
});

test('a log that is gone', () => {
  const line = { line: 1, offset: 0, text: `${head}:` };
  expect(errorTexts(join(folder, 'gone.log'), [line])).toEqual([`${head}:`]);
});

test('a traceback directly below an error line belongs to it, and to no other', () => {
  const file = join(folder, 'logged.log');
  const end = `${head}:\n${frame}\nConnectionError: off\n`;
  writeFileSync(file, `ERROR:root:lost\n${end}INFO on\n${end}`);
  const offset = `ERROR:root:lost\n${end}INFO on\n`.length;
  const lines = [
    { line: 1, offset: 0, text: 'ERROR:root:lost' },
    { line: 2, offset: 16, text: `${head}:` },
    { line: 7, offset, text: `${head}:` },
  ];
  expect(errorTexts(file, lines)).toEqual([
    'ERROR:root:lost … ConnectionError: off',
    `${head}: … ConnectionError: off`,
  ]);
});
