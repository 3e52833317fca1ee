/** Evidence that was damaged after it was written is noticed: no verdict gets better, nothing breaks. */
import { cpSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { judgeRun } from '../src/campaigns/run/judge-run.ts';
import type { RunVerdict } from '../src/checks/verdict.ts';
import { createRandom } from '../src/kernel/random.ts';
import { cutJournals } from './flips/cut-journals.ts';
import { performEveryKind } from './flips/every-kind.ts';
import { flipBits } from './flips/flip-bits.ts';
import { binary } from './harness/project.ts';
import { runCommand } from './harness/run-command.ts';
import { makeTemporaryFolder } from './harness/temporary-folder.ts';

const made = makeTemporaryFolder('flips');
let run: string;
beforeAll(async () => {
  run = await performEveryKind(made.path);
  return () => made.remove();
}, 120_000);

test('500 flipped bits of plan, outcome, journals and values', async () => {
  const { verdict, trials } = await judgeRun(run);
  expect(verdict).toBe('failed');
  const red = trials.filter(({ verdict: one }) => one === 'failed').map(({ id }) => id);
  const reference = trials.filter(({ verdict: one }) => one === 'passed').map(({ id }) => id);
  expect([red.length, reference.length, trials.length]).toEqual([18, 12, 31]);
  const random = createRandom('flips');
  const flipped = await flipBits(run, 500, () => random.next());
  expect(flipped).toEqual({ flips: 500, noticed: 500, better: [], crashed: [] });
}, 120_000);

test('journals cut at every line: no check, no trial and no exit code gets better', async () => {
  const { cuts, better } = await cutJournals(run);
  expect(cuts).toBeGreaterThan(500);
  expect(better).toEqual([]);
}, 240_000);

describe('lines of a journal', () => {
  const file = (folder: string): string => path.join(folder, 'trials/http-red/events.ndjson');
  const damages: readonly (readonly [string, (lines: string[]) => string[]])[] = [
    ['removed', (lines) => lines.toSpliced(4, 1)],
    ['doubled', (lines) => lines.toSpliced(4, 0, lines[4] ?? '')],
    ['in another order', (lines) => lines.toSpliced(4, 2, lines[5] ?? '', lines[4] ?? '')],
    [
      'of another journal',
      (lines) =>
        lines.toSpliced(4, 1, readFileSync(file(run).replace('-red', ''), 'utf8').split('\n')[4] ?? ''),
    ],
    [
      'that are all of another journal',
      () => readFileSync(file(run).replace('-red', ''), 'utf8').split('\n'),
    ],
    [
      'of one that claims the first version',
      (lines) => lines.with(0, (lines[0] ?? '').replace('"journal":2', '"journal":1')),
    ],
  ];
  test.each(damages)('%s', async (_, damage) => {
    const copy = copyOf(run);
    writeFileSync(file(copy), damage(readFileSync(file(copy), 'utf8').split('\n')).join('\n'));
    expect(verdictOf(await judgeRun(copy), 'http-red')).toBe('unknown');
  });
});

test('a journal of the first version is judged as before, and reported as unchecked', async () => {
  const copy = copyOf(run);
  const file = path.join(copy, 'trials/http/events.ndjson');
  const plain = readFileSync(file, 'utf8')
    .replaceAll(/,"crc":"[0-9a-f]{8}"\}/g, '}')
    .replace('"journal":2', '"journal":1');
  writeFileSync(file, plain);
  const judged = await judgeRun(copy);
  expect(judged.trials.find(({ id }) => id === 'http')).toMatchObject({ verdict: 'passed', unchecked: true });
  expect(judged.trials.filter(({ unchecked }) => unchecked)).toHaveLength(1);
  expect((await shakedown('judge', copy)).output.replaceAll(/\s+/g, ' ')).toContain(
    'journals of version 1, which have no checksums',
  );
  writeFileSync(file, plain.replaceAll('"expect":{"json"', '"expecu":{"json"'));
  expect(verdictOf(await judgeRun(copy), 'http')).toBe('unknown');
  writeFileSync(file, plain.replace('"checks":[', '"checkz":['));
  expect(verdictOf(await judgeRun(copy), 'http')).toBe('unknown');
});

test('no verb breaks on a damaged run', async () => {
  const copy = copyOf(run);
  for (const name of [
    'trials/http/events.ndjson',
    'trials/http-red/events.ndjson',
    'trials/long/values.seg',
    'verdict.json',
  ]) {
    const content = readFileSync(path.join(copy, name));
    content.writeUInt8((content[content.length >> 1] ?? 0) ^ 4, content.length >> 1);
    writeFileSync(path.join(copy, name), content);
  }
  const verbs = [
    ['judge', copy],
    ['judge', copy, '--json'],
    ['report', copy],
    ['sabotage', copy],
    ['coverage', copy],
    ['record', '--trial', 'http', copy],
    ['report', '--flakes'],
    ['judge', copy, '--accept'],
  ];
  const ended = await Promise.all(
    verbs.map(async (words) => [words[0], (await shakedown(...words)).code] as const),
  );
  expect(ended.filter(([, code]) => code === 70 || code === null)).toEqual([]);
  expect(ended[0]).toEqual(['judge', 1]);
});

function copyOf(folder: string): string {
  const copy = makeTemporaryFolder('damaged');
  onTestFinished(() => copy.remove());
  cpSync(folder, copy.path, { recursive: true });
  return realpathSync(copy.path);
}

function verdictOf({ trials }: RunVerdict, wanted: string): string | undefined {
  return trials.find(({ id }) => id === wanted)?.verdict;
}

function shakedown(...words: readonly string[]) {
  return runCommand([process.execPath, binary, ...words], {
    cwd: made.path,
  });
}
