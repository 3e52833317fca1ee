/** What a trial cannot ask of a service that is somebody else's: each is refused, and nothing passes because nobody could see. */
import type { Problem } from '../../kernel/problem.ts';
import { attachedNames, whatIsSeen } from '../../system/attached/attached-services.ts';
import type { System } from '../../system/system.ts';
import type { TrialDocument } from '../document/trial-document.ts';
import { type Placed, problemsAt } from './placed.ts';

/** A step or a check that names it: only what calls it can reach it. */
export function unreachableProblems(
  placed: Placed<unknown>,
  key: string,
  service: string,
  isAct: boolean,
): Problem[] {
  return problemsAt(placed, 'value', [key], {
    code: 'config.bad-value',
    what: isAct
      ? `\`${service}\` is somebody else's (\`at\`), and \`${key}\` would disturb it`
      : `\`${service}\` is somebody else's (\`at\`), and \`${key}\` cannot see into it`,
    allowed: whatIsSeen,
    next: isAct
      ? 'leave the step out, or let Shakedown start the service: `run`, `image` or `build`'
      : `check what passes: \`calls: outside -> ${service}\`, or what a step got with \`exchange\``,
  });
}

/** Rules on the way to it would reach it: half a request, a request twice. */
export function disturbedProblems(placed: Placed<unknown>, to: string, others: readonly string[]): Problem[] {
  return problemsAt(placed, 'value', ['edge'], {
    code: 'config.bad-value',
    what: `\`${to}\` is somebody else's (\`at\`), and what leads to it is never disturbed`,
    allowed: others.slice(0, 20).join(', ') || 'an edge to a service or resource that Shakedown starts',
    next: 'disturb another edge, or let Shakedown start the service',
  });
}

/** What one trial leaves in it is there for the next one. */
export function isolationProblems(
  placed: Placed<unknown>,
  { isolation }: Pick<TrialDocument, 'isolation'>,
  system: System,
): Problem[] {
  const [name] = attachedNames(system);
  if (name === undefined || isolation === undefined || isolation === 'shared') return [];
  return problemsAt(placed, 'value', ['isolation'], {
    code: 'config.bad-value',
    what: `\`isolation\` is "${isolation}", and \`${name}\` is somebody else's: it is never restarted or made fresh`,
    allowed: 'shared, in a system with a service that has `at`',
    next: 'write `isolation: shared`, or leave it out',
  });
}
