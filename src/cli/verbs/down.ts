/** `shakedown down`: takes down what is up in this folder, and what crashed runs left. */
import { existsSync } from 'node:fs';
import { openProcessTable } from '../../environment/containment/process-table.ts';
import { readPlan } from '../../environment/plan.ts';
import { waitFor } from '../../kernel/deadline.ts';
import { exitCodes, worstExitCode } from '../../kernel/exit-codes.ts';
import { limits } from '../../kernel/limits.ts';
import { formatProblem, problemFromData } from '../../kernel/problem.ts';
import { leftBehindProblem } from '../left-behind.ts';
import { findLive } from '../live-environment.ts';
import { systemFolder } from '../open-system.ts';
import { reapAndTell } from '../reap-and-tell.ts';
import type { Verb } from '../verb.ts';

export const down: Verb = {
  summary: 'take down what is up here',
  usage: '',
  words: { atMost: 0 },
  options: {},
  run: async (call) => {
    const folder = await systemFolder(call);
    const live = await findLive(folder);
    const reaped = await reapAndTell(call);
    if (!live) {
      call.terminal.out(
        call.json ? JSON.stringify({ down: false, leftBehind: reaped }) : 'nothing is up here',
      );
      return reaped.length > 0 ? exitCodes.leftBehind : exitCodes.held;
    }
    const { workspace } = readPlan(live.lock.runFolder);
    const { keeper } = await live.client.ask('status', {});
    const table = openProcessTable();
    const guard = table.identify(keeper.guardPid);
    const result = await live.client.ask('down', { because: 'asked by `shakedown down`' });
    await live.client.gone;
    await waitFor(call.clock, { withinMs: limits.teardownWithinMs }, () =>
      existsSync(workspace) || (guard && table.isAlive(guard)) ? undefined : true,
    );
    const left = existsSync(workspace) ? [...result.leftBehind, `folder ${workspace}`] : result.leftBehind;
    const problems = [
      ...result.problems.map(problemFromData),
      ...(left.length > 0 ? [leftBehindProblem(left)] : []),
    ];
    if (call.json)
      call.terminal.out(
        JSON.stringify({ down: true, run: live.lock.run, leftBehind: left, problems: result.problems }),
      );
    else
      call.terminal.out(
        problems.length > 0
          ? problems.map(formatProblem).join('\n\n')
          : `run ${live.lock.run} is down; nothing is left`,
      );
    return worstExitCode(problems.map(({ exitCode }) => exitCode));
  },
};
