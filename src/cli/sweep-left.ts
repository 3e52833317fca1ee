/** When keeper and guard are both gone and something is still there, sweeping is on us. */
import { existsSync } from 'node:fs';
import { sweep } from '../environment/containment/sweep.ts';
import { foundPlanObstacle, stillLeft } from '../environment/containment/workspace.ts';
import { type Plan, readFoundPlan } from '../environment/plan.ts';
import { problemsIn } from '../kernel/problem.ts';
import type { Call } from './verb.ts';

/** For a plan that was found in a run folder: nothing is swept that its ledger does not confirm. */
export async function sweepFound(call: Call, runFolder: string): Promise<readonly string[]> {
  let plan: Plan;
  try {
    plan = readFoundPlan(runFolder);
  } catch (error) {
    return problemsIn(error).map(({ what }) => `run folder ${runFolder}: ${what}`);
  }
  const obstacle = foundPlanObstacle(plan);
  const left =
    obstacle === undefined ? await sweepLeft(call, plan) : [`folder ${plan.workspace}: ${obstacle}`];
  return stillLeft(left, plan);
}

/** What is left after that; nothing, as a rule. */
export async function sweepLeft(call: Call, plan: Plan): Promise<readonly string[]> {
  if (!existsSync(plan.workspace)) return [];
  const { leftBehind } = await sweep(plan, call.clock, call.env);
  return leftBehind;
}
