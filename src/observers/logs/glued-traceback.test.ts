import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { errorTexts } from './error-text.ts';
import { createLogScan } from './log-scan.ts';
import { theUsualErrors } from './usual-errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'shakedown-glued-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the gate reports for a log. */
async function reported(log: string): Promise<readonly string[]> {
  const file = join(folder, 'a.log');
  writeFileSync(file, log);
  const { signal } = new AbortController();
  const { lines } = await createLogScan({ file, from: 0, signal, expression: theUsualErrors }).next();
  return errorTexts(file, lines).map(({ text }) => text);
}

const head = 'Traceback (most recent call last):';
const frame = '  File "svc.py", line 4, in <module>\n    f()\n';

test.each([
  [`Loading model ... ${head}\n${frame}ValueError: boom\n`, `Loading model ... ${head} … ValueError: boom`],
  [`50%|##   | 5/10${head}\n${frame}shop.Lost\nINFO on\n`, `50%|##   | 5/10${head} … shop.Lost`],
  [`INFO 10%\r${head}\n${frame}KeyError: 'a'\n`, `${head} … KeyError: 'a'`],
  [
    `web.1 | Loading ... ${head}\r\nweb.1 |   File "a.py", line 1, in f\r\nweb.1 | ValueError: x\r\n`,
    `web.1 | Loading ... ${head} … ValueError: x`,
  ],
])('a traceback behind words that were left without an end of line counts: %j', async (log, text) => {
  expect(await reported(log)).toEqual([text]);
});

test.each([
  ['a quote', `Observation: ${head}\n${frame}ValueError: boom\n`],
  ['a quote of a logger', `2031-05-17 19:05:49 INFO job 7 failed with ${head}\n${frame}ValueError: boom\n`],
  ['a field of JSON', `{"msg": "job 7 failed ${head}\\n  File \\"a.py\\", line 1"}\n`],
  ['its name alone', `The log of job 7 has a ${head}\nINFO on\nValueError: boom\n`],
  ['one without its exception', `Loading model ... ${head}\n${frame}`],
])('%s does not', async (_, log) => {
  expect(await reported(log)).toEqual([]);
});
