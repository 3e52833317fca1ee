import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Plan } from '../plan.ts';
import { keeperLogFile } from '../run-folder.ts';
import { keeperDied } from './keeper-died.ts';

test.each([
  ['node[2]: pthread_create: Resource temporarily unavailable\nAborted\n', 'world.exhausted', 3],
  [
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n',
    'world.exhausted',
    3,
  ],
  ['TypeError: a bug\n    at keep (keeper.ts:1:1)\n', 'shakedown.keeper-died', 70],
  ['', 'world.keeper-killed', 3],
  ['Killed\n', 'world.keeper-killed', 3],
  ['shakedown-init: line 6:    12 Killed                  "$@"\n', 'world.keeper-killed', 3],
  ['Segmentation fault\n', 'shakedown.keeper-died', 70],
])('a keeper whose last words are %j', (log, code, exitCode) => {
  const runFolder = mkdtempSync(path.join(tmpdir(), 'keeper-died-'));
  onTestFinished(() => rmSync(runFolder, { recursive: true }));
  writeFileSync(keeperLogFile(runFolder), log);
  const problem = keeperDied({ runFolder, system: { name: 'shop' } } as Plan, 'while the system was booting');
  expect(problem).toMatchObject({ code, exitCode, where: 'the keeper of shop' });
  expect(problem.what).toContain('it ended while the system was booting');
});
