/** The registry against the files: what lives in a boundary folder belongs to a boundary, and each glob stands for something. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { folderMatcher, globMatcher } from '../matching-globs.ts';
import type { Boundary, BoundaryRegistry } from './boundary-registry.ts';
import { listFiles } from './folder-files.ts';

export function sourceFindings(registry: BoundaryRegistry, folder: string): readonly LintFinding[] {
  const { folders, except, boundaries } = registry;
  const sources = boundaries.flatMap(({ written }) => written.sources ?? []);
  const files = listFiles(folder, [...folders, ...sources], registry.shown);
  const isExcepted = anyOf(except.map(globMatcher));
  const isRegistered = anyOf(sources.map(folderMatcher));
  const inFolders = anyOf(folders.map(folderMatcher));
  const strangers = files.filter((file) => inFolders(file) && !isExcepted(file) && !isRegistered(file));
  return [
    ...strangers.map((file) => stranger(file, registry)),
    ...folders.flatMap((glob, index) =>
      files.some(folderMatcher(glob)) ? [] : [emptyGlob(glob, 'folders', registry.folderPlace(index))],
    ),
    ...boundaries.flatMap((boundary) => emptySources(boundary, files)),
  ];
}

function emptySources({ written, place, id }: Boundary, files: readonly string[]): readonly LintFinding[] {
  return (written.sources ?? []).flatMap((glob, index) =>
    files.some(folderMatcher(glob)) ? [] : [emptyGlob(glob, `sources of \`${id}\``, place('sources', index))],
  );
}

function anyOf(matchers: readonly ((file: string) => boolean)[]): (file: string) => boolean {
  return (file) => matchers.some((matches) => matches(file));
}

function stranger(file: string, { shown }: BoundaryRegistry): LintFinding {
  return {
    kind: 'unregistered-boundary',
    level: 'finding',
    file,
    line: 1,
    text: 'it lies in a boundary folder, and no boundary of the registry has it among its sources',
    why: 'a new surface at which data comes in from outside has no contract, no owner and no trial',
    next: `add it to the \`sources\` of a boundary in ${shown}, or register a new boundary with both contracts`,
  };
}

function emptyGlob(
  glob: string,
  of: string,
  place: { readonly file: string; readonly line: number },
): LintFinding {
  return {
    kind: 'empty-glob',
    level: 'finding',
    ...place,
    text: `${JSON.stringify(glob)}, of ${of}, matches no file`,
    why: 'what was meant is not watched any more: it was moved, renamed, or never there',
    next: 'correct the glob, or remove it together with what it stood for',
  };
}
