/** Where a path leads when every link in it is followed. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { orElse } from '../or-else.ts';

/** What is not there, or cannot be looked at, counts as it is written. */
export function realPath(file: string): string {
  const real = orElse(() => realpathSync(file), undefined);
  const above = path.dirname(file);
  return real ?? (above === file ? file : path.join(realPath(above), path.basename(file)));
}

/** It is that folder, or below it; both absolute, and compared as they are written. */
export function isIn(folder: string, file: string): boolean {
  const inside = path.relative(folder, file);
  return inside !== '..' && !inside.startsWith(`..${path.sep}`);
}
