/** `shakedown status`: what is up here, with process numbers and addresses. */

import { unlessGone } from '../../environment/keeper/keeper-client.ts';
import { within } from '../../kernel/deadline.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { Problem } from '../../kernel/problem.ts';
import { findLive, notUp } from '../live-environment.ts';
import { systemFolder } from '../open-system.ts';
import { reapAndTell } from '../reap-and-tell.ts';
import type { Verb } from '../verb.ts';
import { statusTable } from '../view/status-table.ts';

const answerMs = 10_000;

export const status: Verb = {
  summary: 'show what is up here, with process numbers and addresses',
  usage: '',
  words: { atMost: 0 },
  options: { edges: { type: 'boolean', help: 'also list every edge with the address of its tap' } },
  run: async (call) => {
    const folder = await systemFolder(call);
    await reapAndTell(call, folder);
    const live = await findLive(folder, call.clock);
    if (!live) throw notUp(folder);
    const answer = await within(call.clock, answerMs, unlessGone(live.client.ask('status', {})));
    live.client.close();
    if (answer === 'gone') throw notUp(folder);
    if (!answer) throw silentKeeper(live.lock.run);
    call.terminal.out(call.json ? JSON.stringify(answer) : statusTable(answer, call.terminal));
    if (call.options.edges === true && !call.json) {
      for (const { from, to, url } of answer.edges) call.terminal.out(`  ${from} -> ${to}  ${url}`);
    }
    return exitCodes.held;
  },
};

function silentKeeper(run: string): Problem {
  return new Problem({
    code: 'world.unreachable',
    where: `the keeper of run ${run}`,
    what: `it does not answer: no word within ${answerMs / 1_000} s`,
    allowed: 'a keeper that answers at once',
    next: 'it was stopped (SIGSTOP), or hangs: `shakedown down` ends it, and its guard takes everything away',
  });
}
