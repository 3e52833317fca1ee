/** What is left behind: removed and reported before something new starts, and named as a problem at the end. */
import { existsSync } from 'node:fs';
import { sweep } from '../../environment/containment/sweep.ts';
import { foundPlanObstacle, stillLeft } from '../../environment/containment/workspace.ts';
import { reapCrashed } from '../../environment/keeper/reap.ts';
import { type Plan, readFoundPlan } from '../../environment/plan.ts';
import { Problem, problemsIn } from '../../kernel/problem.ts';
import type { Host } from './host.ts';

/** Removes what crashed runs left; returns what is still there. */
export async function reapAndReport(host: Host, systemFolder: string): Promise<readonly string[]> {
  const swept = await reapCrashed(host.clock, host.env, systemFolder);
  for (const { environment, endedProcesses, leftBehind } of swept) {
    const rest = leftBehind.length > 0 ? `; still there: ${leftBehind.join('; ')}` : '';
    host.warn(
      `removed what the crashed environment ${environment} left (${endedProcesses} processes)${rest}`,
    );
  }
  return swept.flatMap(({ leftBehind }) => leftBehind);
}

/** None when nothing is left. */
export function leftBehindProblems(left: readonly string[]): readonly Problem[] {
  if (left.length === 0) return [];
  return [
    new Problem({
      code: 'left.behind',
      where: 'teardown',
      what: `${left.length} ${left.length === 1 ? 'thing is' : 'things are'} left behind`,
      allowed: 'nothing',
      next: 'remove them by hand, or call `shakedown down` again',
      evidence: left,
    }),
  ];
}

/** For a plan found in a run folder: sweeps only what its ledger confirms. */
export async function sweepFound(host: Host, runFolder: string): Promise<readonly string[]> {
  let plan: Plan;
  try {
    plan = readFoundPlan(runFolder);
  } catch (error) {
    return problemsIn(error).map(({ what }) => `run folder ${runFolder}: ${what}`);
  }
  const obstacle = foundPlanObstacle(plan);
  if (obstacle !== undefined) return stillLeft([`folder ${plan.workspace}: ${obstacle}`], plan);
  if (!existsSync(plan.workspace)) return [];
  return stillLeft((await sweep(plan, host.clock, host.env)).leftBehind, plan);
}
