import { linkSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryFolder } from '../../../test/harness/temporary-folder.ts';
import { createLogScan } from '../../observers/logs/log-scan.ts';
import { capLog } from './cap-log.ts';
import { closeGap } from './close-gap.ts';

const mostBytes = 8 * 1024 * 1024;

function bigLog(lines: number): string {
  const folder = makeTemporaryFolder('log');
  onTestFinished(folder.remove);
  const file = path.join(folder.path, 'web.log');
  const text = Array.from({ length: lines }, (_, index) => `line ${index} ${'x'.repeat(1_000)}\n`);
  writeFileSync(file, text.join(''));
  return file;
}

const scan = (file: string, from: number, expression?: string) =>
  createLogScan({
    file,
    from,
    signal: new AbortController().signal,
    ...(expression ? { expression } : {}),
  }).next();

test('a log that is too large loses its middle, and nothing else moves', async () => {
  const file = bigLog(20_000);
  const { size } = statSync(file);
  const dropped = await capLog(file, mostBytes);
  expect(dropped).toMatchObject({ from: mostBytes / 8 });
  expect(statSync(file).size).toBe(size);
  expect(statSync(file).blocks * 512).toBeLessThan(mostBytes);
  expect(await capLog(file, mostBytes)).toBeUndefined();
  // A reader that had not read the dropped part reports a loss; one that had does not.
  for (const expression of ['ERROR', '\\d', undefined]) {
    expect(await scan(file, 0, expression)).toMatchObject({ cut: 1 });
    expect(await scan(file, dropped?.to ?? 0, expression)).toMatchObject({ undecided: 0 });
  }
  await closeGap(file);
  const text = readFileSync(file, 'utf8');
  expect(text.length).toBeLessThan(mostBytes);
  expect(text).toMatch(/^line 0 x/);
  expect(text).toMatch(/\n\(Shakedown dropped \d+ bytes of this log here\)\n/);
  expect(text).toMatch(/line 19999 x+\n$/);
});

test('a log of ordinary size is left unchanged', async () => {
  const file = bigLog(1_000);
  const before = readFileSync(file);
  expect(await capLog(file, mostBytes)).toBeUndefined();
  await closeGap(file);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a file with another hard link, or behind a link, loses nothing', async () => {
  const file = bigLog(20_000);
  const before = readFileSync(file);
  symlinkSync(file, `${file}.link`);
  expect(await capLog(`${file}.link`, mostBytes)).toBeUndefined();
  linkSync(file, `${file}.name`);
  await expect(capLog(`${file}.name`, mostBytes)).rejects.toThrow(/another name/);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a log to which a service gives the length of a disk is not read through', async () => {
  const file = bigLog(1_000);
  const { size } = statSync(file);
  truncateSync(file, 2 ** 41);
  await expect(scan(file, 0, 'ERROR')).rejects.toThrow(/web\.log has a hole of at least \d+ bytes/);
  await closeGap(file);
  expect(statSync(file).size).toBeLessThan(size + 1024 * 1024);
  expect(readFileSync(file, 'utf8')).toMatch(/^line 0 x[\s\S]*line 999 x+\n/);
});
