/** What crashed environments left: taken away, and told. */
import { reapCrashed } from '../../environment/containment/reap.ts';
import { limits } from '../../kernel/limits.ts';
import { leftBehindProblem } from '../left-behind.ts';
import type { Check } from './check.ts';

export const leftoversCheck: Check = {
  name: 'leftovers',
  otherwise: 'missing',
  withinMs: limits.teardownWithinMs,
  look: async ({ call, folder }) => {
    const swept = await reapCrashed(call.clock, call.env, folder);
    const stuck = swept.flatMap(({ leftBehind }) => leftBehind);
    const took = swept.map(
      ({ environment, endedProcesses }) => `${environment} (${endedProcesses} processes)`,
    );
    const detail =
      took.length > 0
        ? `took away what crashed environments left: ${took.join(', ')}`
        : 'none: no environment has crashed';
    if (stuck.length === 0) return { state: 'ok', detail };
    const problem = leftBehindProblem(stuck);
    return { state: 'broken', detail: problem.what, next: problem.next, problems: [problem] };
  },
};
