/** Finds cycles of imports of values; types are erased and cannot form one. Pure. */
import path from 'node:path';
import { importsOf } from './imports-of.ts';

/** Each cycle as `a → b → a`. */
export function findImportCycles(files: ReadonlyMap<string, string>): readonly string[] {
  const edges = importGraph(files);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    const at = way.indexOf(file);
    if (at >= 0) cycles.push([...way.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of files.keys()) visit(file, []);
  return cycles;
}

/** File to the files that it imports. */
export function importGraph(
  files: ReadonlyMap<string, string>,
  { withTypes } = { withTypes: false },
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...files].map(([file, text]) => {
      const imports = importsOf(file, text).filter(({ typesOnly }) => withTypes || !typesOnly);
      const inside = imports.filter(({ specifier }) => specifier.startsWith('.'));
      return [file, inside.map(({ specifier }) => path.posix.join(path.posix.dirname(file), specifier))];
    }),
  );
}
