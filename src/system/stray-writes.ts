/** Refuses folders to be written to that are links out of the project: the reason in `allow` is for the project. */
import { statSync } from 'node:fs';
import { isIn, realPath } from '../kernel/folders/real-path.ts';
import { Problem, type ProblemParts } from '../kernel/problem.ts';
import type { ContainerSpec } from './container-spec.ts';

export function strayWrites(
  { mounts }: ContainerSpec,
  folder: string,
  where: ProblemParts['where'],
): readonly Problem[] {
  return mounts.flatMap((mount) => {
    if (mount.kind !== 'bind' || !mount.direct || mount.readOnly || !isIn(folder, mount.source)) return [];
    const real = realPath(mount.source);
    if (isIn(realPath(folder), real) || statSync(real, { throwIfNoEntry: false })?.isSocket()) return [];
    return new Problem({
      code: 'config.bad-value',
      where,
      what: `${mount.source} would be written to, and is a link out of the project, to ${real}`,
      allowed: 'what is in the project, or the path itself of what is elsewhere',
      next: `use \`writes: copy\`, or write \`bind: ${real}\` if that is meant`,
    });
  });
}
