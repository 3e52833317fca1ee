import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { quarantineDocument, quarantineSchemaText } from './quarantine-document.ts';

test('schema/quarantine.schema.json is up to date (node scripts/write-schema.ts)', async () => {
  const file = new URL('../../../schema/quarantine.schema.json', import.meta.url);
  expect(await readFile(file, 'utf8')).toBe(quarantineSchemaText());
});

test.each([
  ['2026-08-01', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-8-1', false],
  ['tomorrow', false],
])('%s is a day: %s', (until, isDay) => {
  const entries = [{ trial: 't', owner: 'ada', reason: 'it races', until }];
  expect(quarantineDocument.safeParse({ entries }).success).toBe(isDay);
});
