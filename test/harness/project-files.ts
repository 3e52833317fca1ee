/** The files of this project as in a fresh clone: no dependencies, no build output, no runs. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const projectFolder = path.resolve(import.meta.dirname, '../..');

const notOurs = new Set(['node_modules', 'dist', '.git', '.shakedown', '.cache']);

/** Paths relative to the project, with `/`, sorted. */
export function projectFiles(under = ''): readonly string[] {
  const found = readdirSync(path.join(projectFolder, under), { withFileTypes: true })
    .filter(({ name }) => !notOurs.has(name) && !name.endsWith('.tgz'))
    .flatMap((entry) => {
      const file = under === '' ? entry.name : `${under}/${entry.name}`;
      if (entry.isDirectory()) return projectFiles(file);
      return entry.isFile() ? [file] : [];
    });
  return found.sort();
}

export function readProjectFile(file: string): string {
  return readFileSync(path.join(projectFolder, file), 'utf8');
}
