/** Whether globs match a path, relative to the folder of the config. */
import path from 'node:path';
import { globExpression } from '../../patterns/glob-expression.ts';

/** An unclosed glob matches only itself. */
export function globMatcher(glob: string): (file: string) => boolean {
  const plain = path.posix.normalize(glob.replace(/\/+$/, ''));
  const expression = globExpression(plain);
  if (expression === undefined) return (file) => file === plain;
  const pattern = new RegExp(expression);
  return (file) => pattern.test(file);
}

/** The same for a path whose folders may match as well: `src/channel` covers everything below it. */
export function folderMatcher(glob: string): (file: string) => boolean {
  const matches = globMatcher(glob);
  return (file) => {
    const steps = file.split('/');
    return steps.some((_, index) => matches(steps.slice(0, index + 1).join('/')));
  };
}
