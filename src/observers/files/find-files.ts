/** Finds the files that a glob means, or says that there are too many. */
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import { globBase, globDepth, globExpression } from '../../patterns/glob-expression.ts';
import { ObservationError } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import type { Root } from './find-root.ts';
import { type FoundFile, walkFolder } from './walk-folder.ts';

export async function findFiles({ folder, glob }: Root, signal: AbortSignal): Promise<readonly FoundFile[]> {
  const depth = globDepth(glob);
  const { files, isPartial, closed } = await walkFolder({
    root: folder,
    below: globBase(glob),
    signal,
    keep: globTester(glob),
    enter: (relative) => relative.split('/').length < depth,
  });
  if (isPartial)
    throw new ObservationError(
      `there are more than ${observerLimits.elements} files for ${glob}; narrow the path`,
    );
  if (closed.length > 0)
    throw new ObservationError(`the folder ${closed[0] || '.'} may not be read`, 'later');
  return files;
}

/** Whether a path, relative to the folder, is one that the glob means. */
export function globTester(glob: string): (relative: string) => boolean {
  const expression = globExpression(glob);
  if (expression === undefined) throw new ObservationError(`the path ${glob} is not a valid glob`);
  const tester = createRegexTester();
  return (relative) => tester.test(expression, '', relative) === true;
}
