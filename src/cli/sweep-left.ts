/** When keeper and guard are both gone and something is still there, sweeping is on us. */
import { existsSync } from 'node:fs';
import { sweep } from '../environment/containment/sweep.ts';
import type { Plan } from '../environment/plan.ts';
import type { Call } from './verb.ts';

/** What is left after that; nothing, as a rule. */
export async function sweepLeft(call: Call, plan: Plan): Promise<readonly string[]> {
  if (!existsSync(plan.workspace)) return [];
  const { leftBehind } = await sweep(plan, call.clock, call.env);
  return leftBehind;
}
