/** Keeps the files that a condition matches; a map in it is compared with each of several YAML documents. */
import { isPlainMap } from '../../patterns/plain-value.ts';
import { spokenOf } from '../../patterns/spoken-of.ts';
import { parsePath } from '../../patterns/value-path.ts';
import { ObservationError } from '../observer.ts';
import { YamlDocuments } from './parse-yaml.ts';

export type Keep = <T>(where: unknown, among: readonly T[]) => Promise<readonly T[]>;

export async function keepFiles<View extends Readonly<Record<string, unknown>>>(
  where: unknown,
  views: readonly View[],
  keep: Keep,
): Promise<readonly View[]> {
  const divided = asksForMap(where) ? views.filter(({ yaml }) => yaml instanceof YamlDocuments) : [];
  if (divided.length === 0) return keep(where, views);
  const kept = new Set(
    await keep(
      where,
      views.filter((view) => !divided.includes(view)),
    ),
  );
  for (const view of divided) if (await isEachKept(where, view, keep)) kept.add(view);
  return views.filter((view) => kept.has(view));
}

async function isEachKept(
  where: unknown,
  view: Readonly<Record<string, unknown>>,
  keep: Keep,
): Promise<boolean> {
  // After a last `---` there is an empty one.
  const documents = (view.yaml as YamlDocuments).filter((value) => value !== null);
  const kept = await keep(
    where,
    Array.from(documents, (yaml) => ({ ...view, yaml })),
  );
  if (kept.length === 0 || kept.length === documents.length) return kept.length > 0;
  throw new ObservationError(
    `${view.path} has several documents, and only some of them match; ask for \`yaml: { $some: … }\`, or \`$each\``,
    'later',
  );
}

/** A pattern with keys, which a list of documents does not have. */
function asksForMap(where: unknown): boolean {
  return spokenOf(where, 'map').some(({ key, pattern }) => key === 'yaml' && hasKeys(pattern));
}

function hasKeys(pattern: unknown): boolean {
  if (spokenOf(pattern, 'map').length > 0) return true;
  if (!isPlainMap(pattern)) return false;
  const { $eq, $ne, $path, $not, $any, $all } = pattern;
  if (isPlainMap($eq) || isPlainMap($ne)) return true;
  if (isPlainMap($path) && Object.keys($path).some((path) => typeof parsePath(path)?.[0] === 'string'))
    return true;
  return [$not, $any, $all].flat().some(hasKeys);
}
