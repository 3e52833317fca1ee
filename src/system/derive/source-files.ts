/** The source files of a project, for what only its code says: how many are read, and which not, is bounded. */
import path from 'node:path';
import { ifProblem } from '../../kernel/problem.ts';
import { globFiles } from '../source/glob-files.ts';
import { readText } from '../source/read-text.ts';

export interface SourceFile {
  /** Relative to the project, with `/`. */
  readonly name: string;
  readonly text: string;
}

const mostFiles = 400;
const notOwn = /(?:^|\/)(?:node_modules|venv|env|site-packages|dist|build|tests?|__tests__|migrations)\//;

/** Those nearest to the top first. */
export async function sourceFiles(folder: string, glob: string): Promise<readonly SourceFile[]> {
  const names: string[] = [];
  for await (const file of globFiles([glob], folder)) {
    const name = path.relative(folder, file).split(path.sep).join('/');
    if (!notOwn.test(name) && !/(?:^|\/)(?:test_|conftest)|[._]test\.|\.d\.ts$/.test(name)) names.push(name);
    if (names.length >= mostFiles) break;
  }
  const depth = (name: string): number => name.split('/').length;
  const sorted = names.sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  const read = sorted.map(async (name) => {
    const kind = { noun: 'source', unreadable: 'config.unreadable' } as const;
    const text = await readText(path.join(folder, name), kind).catch(ifProblem);
    return text === undefined ? [] : [{ name, text }];
  });
  return (await Promise.all(read)).flat();
}

/** The first thing that a pattern captures, and where. */
export function findInSources(
  files: readonly SourceFile[],
  pattern: RegExp,
): { readonly file: SourceFile; readonly found: string } | undefined {
  for (const file of files) {
    const found = pattern.exec(file.text)?.[1];
    if (found !== undefined) return { file, found };
  }
  return undefined;
}
