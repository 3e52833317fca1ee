import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryFolder } from '../../../test/harness/temporary-folder.ts';
import { childrenOf } from './host-pids.ts';

test('a thread that ends while its process is inspected is skipped', () => {
  const proc = makeTemporaryFolder('proc');
  onTestFinished(() => proc.remove());
  for (const thread of ['7', '8', '9'])
    mkdirSync(path.join(proc.path, '7/task', thread), { recursive: true });
  writeFileSync(path.join(proc.path, '7/task/7/children'), '11 12 ');
  writeFileSync(path.join(proc.path, '7/task/9/children'), '13 ');
  expect(childrenOf(proc.path, 7)).toEqual([11, 12, 13]);
});
