import { closeSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryFolder } from '../../../test/harness/temporary-folder.ts';
import { openLog } from './open-log.ts';

test.each([
  [undefined, 'up\n'],
  ['', 'up\n'],
  ['INFO on\n', 'INFO on\nup\n'],
  ['INFO wor', 'INFO wor\nup\n'],
])('a process writes to a line of its own: after %j', (before, after) => {
  const folder = makeTemporaryFolder('open-log');
  onTestFinished(folder.remove);
  const file = path.join(folder.path, 'web.log');
  if (before !== undefined) writeFileSync(file, before);
  const log = openLog(file);
  writeSync(log, 'up\n');
  closeSync(log);
  expect(readFileSync(file, 'utf8')).toBe(after);
});
