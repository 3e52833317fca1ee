import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { keysPageText } from './keys-page.ts';

/** How wide a table is does not matter. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+|-{2,}/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}

test('docs/reference/compose.md is up to date (npm run schema, then biome)', async () => {
  const page = await readFile(new URL('../../../docs/reference/compose.md', import.meta.url), 'utf8');
  expect(plain(page)).toBe(plain(keysPageText()));
});
