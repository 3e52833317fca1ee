/** What is up in this folder, if anything is, and whether it answers. */
import { readLedger } from '../../environment/containment/ledger.ts';
import { openProcessTable } from '../../environment/containment/process-table.ts';
import { unlessGone } from '../../environment/keeper/keeper-client.ts';
import { within } from '../../kernel/deadline.ts';
import { Problem } from '../../kernel/problem.ts';
import { findLive, type Live } from '../live-environment.ts';
import type { Check } from './check.ts';

const answersWithinMs = 3_000;

export const environmentCheck: Check = {
  name: 'environment',
  otherwise: 'missing',
  byHand: 'shakedown status',
  look: async ({ call, folder }) => {
    const live = await findLive(folder, call.clock);
    const asked = live && unlessGone(live.client.ask('status', {}));
    const status = asked && (await within(call.clock, answersWithinMs, asked));
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
    what: `it holds this folder and has not answered within ${answersWithinMs / 1000} s`,
    allowed: 'a keeper that answers at once',
    next: `end what is left of it: kill -9 ${ours.map(({ process }) => process.pid).join(' ')}; shakedown down`,
    evidence: ours.map(({ role, process }) =>
      `${role} ${process.pid}: ${table.commandLine(process.pid)}`.slice(0, 200),
    ),
  });
}
