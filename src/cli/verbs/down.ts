/** `shakedown down`: takes down what is up in this folder, and what crashed runs left. */

import { takeDown } from '../../environment/keeper/take-down.ts';
import type { Plan } from '../../environment/plan.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../../kernel/exit-codes.ts';
import { Problems, problemFromData, problemsIn } from '../../kernel/problem.ts';
import { leftBehindProblem } from '../left-behind.ts';
import { clearStaleLock, findLive, type Live } from '../live-environment.ts';
import { systemFolder } from '../open-system.ts';
import { reapAndTell } from '../reap-and-tell.ts';
import { tellProblems } from '../tell-problems.ts';
import type { Call, Verb } from '../verb.ts';

export const down: Verb = {
  summary: 'take down what is up here',
  usage: '',
  words: { atMost: 0 },
  options: {},
  run: async (call) => {
    const folder = await systemFolder(call).catch(async (error: unknown) => {
      // A project may be gone, and what it started not.
      const left = await reapAndTell(call, call.cwd);
      throw left.length === 0 ? error : new Problems([leftBehindProblem(left), ...problemsIn(error)]);
    });
    const live = await findLive(folder, call.clock);
    const reaped = await reapAndTell(call, folder);
    if (live) return endLive(call, live);
    const left = [...reaped, ...(await clearStaleLock(folder, call))];
    call.terminal.out(call.json ? JSON.stringify({ down: false, leftBehind: left }) : 'nothing is up here');
    if (left.length > 0 && !call.json)
      call.terminal.out(tellProblems([leftBehindProblem(left)], call.terminal));
    return left.length > 0 ? exitCodes.leftBehind : exitCodes.held;
  },
};

async function endLive(call: Call, { client, lock, plan }: Live): Promise<ExitCode> {
  const { wasGone: _wasGone, ...taken } = await takeDown(
    client,
    plan,
    'asked by `shakedown down`',
    call.clock,
  );
  const result = { ...taken, leftBehind: await sweepIfThere(call, taken.leftBehind, plan) };
  const problems = [
    ...result.problems.map(problemFromData),
    ...(result.leftBehind.length > 0 ? [leftBehindProblem(result.leftBehind)] : []),
  ];
  if (call.json) call.terminal.out(JSON.stringify({ down: true, run: lock.run, ...result }));
  else if (problems.length > 0) call.terminal.out(tellProblems(problems, call.terminal));
  else call.terminal.out(`run ${lock.run} is down; nothing is left`);
  return worstExitCode(problems.map(({ exitCode }) => exitCode));
}

/** A guard that had to be killed did not come to sweeping. */
async function sweepIfThere(call: Call, left: readonly string[], plan: Plan): Promise<readonly string[]> {
  const folder = `folder ${plan.workspace}`;
  if (!left.includes(folder)) return left;
  const { sweepFound } = await import('../sweep-left.ts'); // a crash is rare
  return [...left.filter((line) => line !== folder), ...(await sweepFound(call, plan.runFolder))];
}
