/** Takes down what is up in this folder, and what crashed runs left. */
import { takeDown } from '../../environment/keeper/take-down.ts';
import type { Plan } from '../../environment/plan.ts';
import { Problems, problemFromData, problemsIn } from '../../kernel/problem.ts';
import type { Host } from '../session/host.ts';
import { leftBehindProblems, reapAndReport, sweepFound } from '../session/leftovers.ts';
import { clearStaleLock, findLive } from '../session/live-environment.ts';
import { systemFolder } from '../session/open-system.ts';

export async function down(host: Host) {
  const folder = await systemFolder(host).catch(async (error: unknown) => {
    // A project may be gone while its processes are still running.
    const left = await reapAndReport(host, host.cwd);
    throw left.length === 0 ? error : new Problems([...leftBehindProblems(left), ...problemsIn(error)]);
  });
  const live = await findLive(folder, host.clock);
  const reaped = await reapAndReport(host, folder);
  if (!live) {
    const leftBehind = [...reaped, ...(await clearStaleLock(folder, host))];
    return { result: { down: false, leftBehind }, problems: leftBehindProblems(leftBehind) };
  }
  const { client, lock, plan } = live;
  const taken = await takeDown(client, plan, 'asked by `shakedown down`', host.clock);
  const leftBehind = await sweepIfThere(host, taken.leftBehind, plan);
  return {
    /** As data: the run that was taken down, and what is left of it. */
    result: { down: true, run: lock.run, problems: taken.problems, leftBehind },
    problems: [...taken.problems.map(problemFromData), ...leftBehindProblems(leftBehind)],
  };
}

/** A guard that had to be killed did not sweep. */
async function sweepIfThere(host: Host, left: readonly string[], plan: Plan): Promise<readonly string[]> {
  const folder = `folder ${plan.workspace}`;
  if (!left.includes(folder)) return left;
  return [...left.filter((line) => line !== folder), ...(await sweepFound(host, plan.runFolder))];
}
