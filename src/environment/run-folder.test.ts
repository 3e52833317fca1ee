import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../kernel/limits.ts';
import { openProcessTable } from './containment/process-table.ts';
import {
  environmentFolderOf,
  latestRunFolder,
  makeRunFolder,
  presentRun,
  runFolderOf,
} from './run-folder.ts';

test('the oldest runs are removed when there are too many, but never one that is under way', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'runs-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const run = (index: number): string => `20260101-${100_000 + index}-aaaa`;
  const latest = '20270101-000000-aaaa';
  const runs = path.join(folder, '.shakedown/runs');
  for (let index = 0; index < limits.keptRuns + 3; index += 1) {
    mkdirSync(path.join(runs, run(index)), { recursive: true });
    writeFileSync(path.join(runs, run(index), 'plan.json'), '{}');
  }
  // Entries that are not runs are neither counted nor removed.
  mkdirSync(path.join(runs, '0-mine'));
  mkdirSync(path.join(runs, '20250101-000000-aaaa'));
  writeFileSync(path.join(runs, run(1), 'keeper.sock'), '');
  // A run of trials is up as long as one of its environments is.
  const inside = environmentFolderOf(runFolderOf(folder, run(2)), 3);
  makeRunFolder(folder, inside);
  writeFileSync(path.join(inside, 'keeper.sock'), '');
  // Also while it has none, as long as its process is alive and has not written the outcome.
  const owner = JSON.stringify(openProcessTable().identify(process.pid));
  for (const index of [0, 3]) writeFileSync(path.join(runs, run(index), 'owner.json'), owner);
  writeFileSync(path.join(runs, run(0), 'outcome.json'), '{}');
  const made = makeRunFolder(folder, runFolderOf(folder, latest));
  writeFileSync(path.join(made, 'plan.json'), '{}');
  await presentRun(folder, latest);
  expect(latestRunFolder(folder)).toBe(made);
  const [mine, unplanned, ...kept] = readdirSync(runs).sort();
  expect([mine, unplanned]).toEqual(['0-mine', '20250101-000000-aaaa']);
  expect(kept).toHaveLength(limits.keptRuns + 3);
  expect(kept.slice(0, 4)).toEqual([run(1), run(2), run(3), run(4)]);
  expect(kept.at(-1)).toBe(latest);
});
