import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../kernel/limits.ts';
import {
  environmentFolderOf,
  latestRunFolder,
  makeRunFolder,
  presentRun,
  runFolderOf,
} from './run-folder.ts';

test('the oldest runs go when there are too many, but never one that is still up', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'runs-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const runs = path.join(folder, '.shakedown/runs');
  for (let index = 0; index < limits.keptRuns + 3; index += 1)
    mkdirSync(path.join(runs, `2026-${1000 + index}`), { recursive: true });
  writeFileSync(path.join(runs, '2026-1001', 'keeper.sock'), '');
  // A run of trials is up as long as one of its environments is.
  const inside = environmentFolderOf(runFolderOf(folder, '2026-1002'), 3);
  makeRunFolder(folder, inside);
  writeFileSync(path.join(inside, 'keeper.sock'), '');
  const made = makeRunFolder(folder, runFolderOf(folder, '2027-0000'));
  await presentRun(folder, '2027-0000');
  expect(latestRunFolder(folder)).toBe(made);
  const kept = readdirSync(runs).sort();
  expect(kept).toHaveLength(limits.keptRuns + 2);
  expect(kept.slice(0, 3)).toEqual(['2026-1001', '2026-1002', '2026-1004']);
  expect(kept.at(-1)).toBe('2027-0000');
});
