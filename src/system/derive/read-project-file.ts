/** Reads the file that describes a package: TOML or JSON, a map at its top. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { Problem, problemToData } from '../../kernel/problem.ts';
import { positionAt } from '../../kernel/source-position.ts';
import { readManifest } from '../roster/read-manifest.ts';

export async function readProjectFile(file: string): Promise<JsonMap> {
  try {
    return (await readManifest(file, () => positionAt(file, '', 0))).it;
  } catch (error) {
    if (error instanceof Problem && error.code === 'roster.broken-manifest')
      throw new Problem({ ...problemToData(error), code: 'config.syntax' });
    throw error;
  }
}

/** An empty map where there is none. */
export function mapIn(value: unknown, ...keys: readonly string[]): JsonMap {
  const inner = keys.reduce<unknown>((outer, key) => (isMap(outer) ? outer[key] : undefined), value);
  return isMap(inner) ? inner : {};
}
