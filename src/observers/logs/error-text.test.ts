import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type ErrorText, errorTexts } from './error-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'shakedown-error-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The error line that begins with the second line of a log. */
function texts(log: string): string | undefined {
  const file = join(folder, 'a.log');
  writeFileSync(file, `INFO up\n${log}`);
  return errorTexts(file, [{ line: 2, offset: 8, text: (log.split('\n')[0] ?? '').trimEnd() }])[0]?.text;
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
    `  + Exception Group ${head}: … ExceptionGroup: two (2 sub-exceptions); ValueError: x`,
  ],
  [`    | ${head}:\n    |   File "a"\n    | ValueError: x\n`, `    | ${head}: … ValueError: x`],
  [
    `╭── ${head} ──╮\n│ svc.py:4 in f │\n╰──────────────╯\nValueError: x\n`,
    `╭── ${head} ──╮ … ValueError: x`,
  ],
  [
    `${head}:\n  File "a"\nINFO:     127.0.0.1:4 - "GET / HTTP/1.1" 200\n10.0.0.7: up\ninfo: up\n  File "b"\nTimeoutError\n`,
    `${head}: … TimeoutError`,
  ],
  [`${head}:\n  File "a"\nsocket.gaierror: [Errno -2] x\n`, `${head}: … socket.gaierror: [Errno -2] x`],
  [`${head}:\n  File "a"\nshop.f.<locals>.Lost\n`, `${head}: … shop.f.<locals>.Lost`],
  [`${head}:\n  File "a"\nÜberlauf: x\n`, `${head}: … Überlauf: x`],
  [
    `12:00:01 worker.1 | ${head}:\n12:00:01 web.1    | Ready: yes\n12:00:01 worker.1 |   File "a"\n12:00:02 worker.1 | ValueError: x\n`,
    `12:00:01 worker.1 | ${head}: … ValueError: x`,
  ],
  [
    `[2031-05-17 09:41:07,120: WARNING/W-1] ${head}:\n[2031-05-17 09:41:07,121: WARNING/W-1]   File "a"\n[2031-05-17 09:41:07,121: WARNING/W-1] ValueError: x\n`,
    `[2031-05-17 09:41:07,120: WARNING/W-1] ${head}: … ValueError: x`,
  ],
  [`INFO app: lost: ${head}:\n  File "a"\nValueError: x\n`, `INFO app: lost: ${head}: … ValueError: x`],
])('a traceback is reported with its exception: %j', (log, text) => {
  expect(texts(log)).toBe(text);
});

test.each([
  ['another line', 'ERROR lost\nValueError: x\n', 'ERROR lost'],
  ['one that is still being written', `${head}:\n${frame}\nConnectionErr`, `${head}:`],
  [
    'one whose end is not known, above another',
    `${head}:\n${frame}\nLOST: x\n${head}:\nValueError: x\n`,
    `${head}:`,
  ],
  ['one without an end', `${head}:\n${frame}\n`, `${head}:`],
  [
    'one without an end, long before',
    `${head}:\n${frame}\n${'10:00 up\n'.repeat(30)}Ready: yes\n`,
    `${head}:`,
  ],
])('%s is reported as it is', (_, log, text) => {
  expect(texts(log)).toBe(text);
});

test('a log that is gone', () => {
  const line = { line: 1, offset: 0, text: `${head}:` };
  expect(errorTexts(join(folder, 'gone.log'), [line])).toEqual([{ text: `${head}:` }]);
});

/** All error lines of a log that begins with one, and a traceback below it. */
function shownBelow(line: string, below: string): readonly ErrorText[] {
  const file = join(folder, 'logged.log');
  const log = `${line}\n${head}:\n${frame}\n${below}`;
  writeFileSync(file, `${log}INFO on\n${head}:\n${frame}\nKeyError: 'a'\n`);
  return errorTexts(file, [
    { line: 1, offset: 0, text: line },
    { line: 2, offset: line.length + 1, text: `${head}:` },
    { line: 7, offset: `${log}INFO on\n`.length, text: `${head}:` },
  ]).slice(0, -1);
}

test.each([
  ['ERROR:root:telegram is off', 'ConnectionError: telegram is off'],
  ['ERROR could not ask: telegram is off, going on', 'requests.ConnectionError: telegram is off'],
  ['ERROR gone on without it after ConnectionError', 'requests.ConnectionError: telegram is off'],
  ['ERROR gone on without it after CancelledError()', 'asyncio.exceptions.CancelledError'],
])('a traceback directly below an error line that mentions its exception belongs to it: %s', (line, end) => {
  expect(shownBelow(line, `${end}\n`)).toEqual([{ text: `${line} … ${end}`, raisedAt: 'svc.py:4 in f' }]);
});

test.each([
  ['ERROR telegram is off', "KeyError: 'amount'"],
  ['ERROR telegram is off', 'ConnectionError: the ledger is off'],
  ['2026-11-16 ERROR telegram is off', 'ValueError: 2026-11-16'],
  ['ERROR telegram is off', 'ValueError: off'],
  ['ERROR:    Exception in ASGI application', 'Exception: lost'],
  ['ERROR telegrams are off', 'ValueError: telegram'],
])('one that it does not mention does, too, and each must be expected: %s … %s', (line, end) => {
  const parts = [line, `${head}: … ${end}`];
  expect(shownBelow(line, `${end}\n`)).toEqual([
    { text: `${line} … ${end}`, parts, raisedAt: 'svc.py:4 in f' },
  ]);
});

test('so does one whose exception is not written yet', () => {
  const file = join(folder, 'cut.log');
  writeFileSync(file, `ERROR lost\n${head}:\n${frame}\n`);
  const lines = [
    { line: 1, offset: 0, text: 'ERROR lost' },
    { line: 2, offset: 11, text: `${head}:` },
  ];
  const text = `ERROR lost … ${head}:`;
  expect(errorTexts(file, lines)).toEqual([
    { text, parts: ['ERROR lost', `${head}:`], raisedAt: 'svc.py:4 in f' },
  ]);
});
