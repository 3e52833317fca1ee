/** Finds the name of the service in a manifest. */
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import type { Manifest } from './read-manifest.ts';

/** Values of a manifest carry no position, so this is the first place where a person would see the name: after a key, or at all. */
export function nameInManifest({ file, text }: Manifest, name: string): SourcePosition {
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const places = [`[:=]\\s*["']?(${literal})(?![\\w-])`, `(?<![\\w-])(${literal})(?![\\w-])`];
  const match = places.map((place) => new RegExp(place, 'd').exec(text)).find((found) => found !== null);
  const [start, end] = match?.indices?.[1] ?? [0, 1];
  return positionAt(file, text, start, end - start);
}
