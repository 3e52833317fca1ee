/** Finds the files that a glob means, or says that there are too many. */
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import { globBase, globDepth, globExpression } from '../../patterns/glob-expression.ts';
import { CannotSee } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import type { Root } from './find-root.ts';
import { type FoundFile, walkFolder } from './walk-folder.ts';

export async function findFiles({ folder, glob }: Root, signal: AbortSignal): Promise<readonly FoundFile[]> {
  const expression = globExpression(glob);
  if (expression === undefined) throw new CannotSee(`the path ${glob} is no glob`, 'never');
  const tester = createRegexTester();
  const depth = globDepth(glob);
  const { files, isPartial, closed } = await walkFolder({
    root: folder,
    below: globBase(glob),
    signal,
    keep: (relative) => tester.test(expression, '', relative) === true,
    enter: (relative) => relative.split('/').length < depth,
  });
  if (isPartial)
    throw new CannotSee(
      `there are more than ${observerLimits.files} files for ${glob}; narrow the path`,
      'never',
    );
  if (closed.length > 0) throw new CannotSee(`the folder ${closed[0] || '.'} may not be read`, 'later');
  return files;
}
