/** What counts as the code of a system: not what was written about a run of it. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSources } from './read-sources.ts';

let folder: string;

const begunAt = Date.parse('2026-01-02T00:00:00Z');

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sources-test-'));
  const files: readonly (readonly [name: string, text: string, isNewer: boolean])[] = [
    ['app.mjs', 'in-code', false],
    ['edited.py', 'in-edited-code', true],
    ['words.json', '{"state": "in-data"}', false],
    ['report.json', '{"vitality": 1, "trials": ["in-old-report"]}', false],
    ['saved.json', '{"some": "in-new-data"}', true],
    ['saved', 'in-new-text', true],
    ['notes.txt', 'in-notes', false],
    ['rows.csv', 'in-rows', false],
  ];
  for (const [name, text, isNewer] of files) {
    writeFileSync(path.join(folder, name), text);
    const at = new Date(begunAt + (isNewer ? 1_000 : -1_000));
    utimesSync(path.join(folder, name), at, at);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

const wordsIn = async (begun?: number): Promise<readonly string[]> =>
  ((await readSources(folder, begun)).match(/in-[a-z-]+/g) ?? []).sort();

test('reports, texts and what is newer than the run are not code', async () => {
  expect(await wordsIn(begunAt)).toEqual(['in-code', 'in-data', 'in-edited-code']);
});

test('where the files were copied, their times say nothing', async () => {
  expect(await wordsIn()).toEqual(['in-code', 'in-data', 'in-edited-code', 'in-new-data', 'in-new-text']);
});
