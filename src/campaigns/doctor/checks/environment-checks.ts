/** What is up in this folder, and what crashed environments left. */

import { readLedger } from '../../../environment/containment/ledger.ts';
import { openProcessTable } from '../../../environment/containment/process-table.ts';
import { unlessGone } from '../../../environment/keeper/keeper-client.ts';
import { reapCrashed } from '../../../environment/keeper/reap.ts';
import { within } from '../../../kernel/deadline.ts';
import { limits } from '../../../kernel/limits.ts';
import { Problem } from '../../../kernel/problem.ts';
import { leftBehindProblems } from '../../session/leftovers.ts';
import { findLive, type Live } from '../../session/live-environment.ts';
import type { Check } from './check.ts';

const answersWithinMs = 3_000;

/** The environment that is up in this folder, if any, and whether it answers. */
export const environmentCheck: Check = {
  name: 'environment',
  otherwise: 'missing',
  byHand: 'shakedown status',
  look: async ({ host, folder }) => {
    const live = await findLive(folder, host.clock);
    const asked = live && unlessGone(live.client.ask('status', {}));
    const status = asked && (await within(host.clock, answersWithinMs, asked));
    live?.client.close();
    if (!live || status === 'gone') return { state: 'ok', detail: 'nothing is up here' };
    if (!status) {
      const problem = silentKeeper(live);
      return { state: 'broken', detail: problem.what, next: problem.next, problems: [problem] };
    }
    const { state, run, services, keeper } = status;
    const detail = `up and ${state}: run ${run}, ${services.length} services, keeper ${keeper.pid}`;
    return { state: 'ok', detail };
  },
};

function silentKeeper({ runFolder, plan }: Live): Problem {
  const table = openProcessTable();
  const head = readLedger(plan.workspace).find((entry) => entry.entry === 'environment');
  const ours = (head?.ours ?? []).filter(({ role, process }) => role !== 'cli' && table.isAlive(process));
  return new Problem({
    code: 'world.unreachable',
    where: `the keeper of ${runFolder}`,
    what: `it holds this folder and did not answer within ${answersWithinMs / 1000} s`,
    allowed: 'a keeper that answers at once',
    next: `end what is left of it: kill -9 ${ours.map(({ process }) => process.pid).join(' ')}; shakedown down`,
    evidence: ours.map(({ role, process }) =>
      `${role} ${process.pid}: ${table.commandLine(process.pid)}`.slice(0, 200),
    ),
  });
}

/** Removes and reports what crashed environments left. */
export const leftoversCheck: Check = {
  name: 'leftovers',
  otherwise: 'missing',
  withinMs: limits.teardownWithinMs,
  look: async ({ host, folder }) => {
    const swept = await reapCrashed(host.clock, host.env, folder);
    const stuck = swept.flatMap(({ leftBehind }) => leftBehind);
    const took = swept.map(
      ({ environment, endedProcesses }) => `${environment} (${endedProcesses} processes)`,
    );
    const detail =
      took.length > 0
        ? `removed what crashed environments left: ${took.join(', ')}`
        : 'none: no environment has crashed';
    const problems = leftBehindProblems(stuck);
    const [problem] = problems;
    if (!problem) return { state: 'ok', detail };
    return { state: 'broken', detail: problem.what, next: problem.next, problems };
  },
};
