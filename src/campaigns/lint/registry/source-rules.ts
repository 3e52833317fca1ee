/** Rules on the sources of boundaries: each file in a boundary folder belongs to one, and each glob matches a file. */
import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { Problem } from '../../../kernel/problem.ts';
import { globBase } from '../../../patterns/glob-expression.ts';
import { folderMatcher, globMatcher } from '../matching-globs.ts';
import type { LintPlace, Rule } from '../rule.ts';
import type { BoundaryRegistry } from './registry.ts';

type Sources = ReturnType<typeof findSources>;

/** With the files that its globs can match. */
export function findSources(registry: BoundaryRegistry, folder: string) {
  const globs = globsOf(registry).map(({ glob }) => glob);
  return { registry, files: listFiles(folder, globs, registry.shown) };
}

export const sourceRules: readonly Rule<Sources>[] = [
  {
    kind: 'unregistered-boundary',
    level: 'finding',
    why: 'a new surface for outside data has no contract, no owner and no trial',
    find: ({ registry: { document, boundaries, shown }, files }) => {
      const { folders = [], except = [] } = document;
      const isExcepted = anyOf(except.map(globMatcher));
      const isRegistered = anyOf(
        boundaries.flatMap(({ written }) => (written.sources ?? []).map(folderMatcher)),
      );
      const inFolders = anyOf(folders.map(folderMatcher));
      return files
        .filter((file) => inFolders(file) && !isExcepted(file) && !isRegistered(file))
        .map((file) => ({
          file,
          line: 1,
          text: 'it is in a boundary folder, but no boundary of the registry has it among its sources',
          next: `add it to the \`sources\` of a boundary in ${shown}, or register a new boundary with both contracts`,
        }));
    },
  },
  {
    kind: 'empty-glob',
    level: 'finding',
    why: 'the files are no longer watched: they were moved, renamed, or never existed',
    next: 'correct the glob, or remove it together with what it covered',
    find: ({ registry, files }) =>
      globsOf(registry)
        .filter(({ glob }) => !files.some(folderMatcher(glob)))
        .map(({ glob, of, place }) => ({
          ...place,
          text: `${JSON.stringify(glob)}, of ${of}, matches no file`,
        })),
  },
];

function globsOf({ document, place, boundaries }: BoundaryRegistry) {
  const folders = (document.folders ?? []).map((glob, index) => ({
    glob,
    of: 'folders',
    place: place('folders', index),
  }));
  const sources = boundaries.flatMap(({ id, written, place: at }) =>
    (written.sources ?? []).map((glob, index): { glob: string; of: string; place: LintPlace } => ({
      glob,
      of: `sources of \`${id}\``,
      place: at('sources', index),
    })),
  );
  return [...folders, ...sources];
}

function anyOf(matchers: readonly ((file: string) => boolean)[]): (file: string) => boolean {
  return (file) => matchers.some((matches) => matches(file));
}

const mostFiles = 50_000;
const notWritten = new Set(['node_modules', '.git', '.shakedown', '__pycache__', '.venv']);

/** Paths relative to the folder, with `/`; sorted. */
function listFiles(folder: string, globs: readonly string[], where: string): readonly string[] {
  const found = new Set<string>();
  const bases = [...new Set(globs.map((glob) => path.resolve(folder, globBase(path.posix.normalize(glob)))))];
  // A nested folder is listed with its parent.
  const tops = bases.filter((base) => !bases.some((other) => other !== base && isBelow(base, other)));
  for (const top of tops)
    for (const file of filesBelow(top)) {
      found.add(path.relative(folder, file));
      if (found.size > mostFiles) throw tooMany(where);
    }
  return [...found].sort();
}

function isBelow(inner: string, outer: string): boolean {
  return inner.startsWith(outer === '/' ? outer : `${outer}${path.sep}`);
}

/** A missing folder is empty; a link counts as a file, and is not followed. */
function* filesBelow(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!notWritten.has(entry.name)) yield* filesBelow(file);
    } else yield file;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // the glob is reported as one that matches nothing
  }
}

function tooMany(where: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: `its globs match more than ${mostFiles} files`,
    allowed: `at most ${mostFiles} files in boundary folders and sources`,
    next: 'make the globs narrower',
  });
}
