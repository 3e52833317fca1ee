/** Performs pages of the documentation: every command runs, and what is said to be printed is printed. */
import { expect, test } from 'vitest';
import { type Need, needs } from '../harness/needs.ts';
import { projectFiles, readProjectFile } from '../harness/project-files.ts';
import { makeTemporaryFolder } from '../harness/temporary-folder.ts';
import { fencedBlocks } from './fenced-blocks.ts';
import { performPage } from './perform-page.ts';

export const pages = projectFiles().filter((file) => /^(?:[A-Z]+\.md|docs\/.*\.md)$/.test(file));

/** In several files, so that they are performed side by side. */
export function testPages(isWanted: (page: string) => boolean): void {
  const performed = pages.filter(
    (page) => isWanted(page) && fencedBlocks(readProjectFile(page)).some(({ norun }) => norun === undefined),
  );
  test.each(performed)(
    '%s',
    async (page) => {
      const text = readProjectFile(page);
      const [, needed] = /^<!-- needs: (.*) -->$/m.exec(text) ?? [];
      needs(...((needed?.split(', ') ?? []) as Need[]));
      const folder = makeTemporaryFolder('docs');
      try {
        expect(await performPage(text, folder.path)).toEqual([]);
      } finally {
        folder.remove();
      }
    },
    240_000,
  );
}
