/** The files that globs of a registry can mean, listed once, without what nobody wrote by hand. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Problem } from '../../../kernel/problem.ts';
import { globBase } from '../../../patterns/glob-expression.ts';
import { slashed } from '../place-of-part.ts';

const mostFiles = 50_000;
const notWritten = new Set(['node_modules', '.git', '.shakedown', '__pycache__', '.venv']);

/** Paths relative to the folder, with `/`; sorted. */
export function listFiles(folder: string, globs: readonly string[], where: string): readonly string[] {
  const found = new Set<string>();
  const bases = [...new Set(globs.map((glob) => path.resolve(folder, globBase(path.posix.normalize(glob)))))];
  // What lies in another one is listed with that.
  const tops = bases.filter((base) => !bases.some((other) => other !== base && isBelow(base, other)));
  for (const top of tops)
    for (const file of filesBelow(top)) {
      found.add(slashed(path.relative(folder, file)));
      if (found.size > mostFiles) throw tooMany(where);
    }
  return [...found].sort();
}

function isBelow(inner: string, outer: string): boolean {
  return inner.startsWith(outer === '/' ? outer : `${outer}${path.sep}`);
}

/** A folder that is not there holds nothing; a link is a name like another, and is not followed. */
function* filesBelow(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!notWritten.has(entry.name)) yield* filesBelow(file);
    } else yield file;
  }
}

function entriesOf(folder: string): ReturnType<typeof readDirectory> {
  try {
    return readDirectory(folder);
  } catch {
    return []; // the glob is told as one that matches nothing
  }
}

function readDirectory(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

function tooMany(where: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: `its globs stand for more than ${mostFiles} files`,
    allowed: `at most ${mostFiles} files in boundary folders and sources`,
    next: 'make the globs narrower',
  });
}
