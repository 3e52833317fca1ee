/** Asks the keeper of an environment for its status; one that is stopped or hangs does not answer. */
import type { EnvironmentStatus } from '../../environment/environment-status.ts';
import { unlessGone } from '../../environment/keeper/keeper-client.ts';
import { within } from '../../kernel/deadline.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Host } from '../session/host.ts';
import { reapAndReport } from '../session/leftovers.ts';
import { findLive, notUp } from '../session/live-environment.ts';
import { systemFolder } from '../session/open-system.ts';

const answerMs = 10_000;

/** `run`: of this environment, where another one may be up in the folder. What has passed is in its journal when it answers. */
export async function askStatus(host: Host, run: string | undefined): Promise<EnvironmentStatus> {
  const folder = await systemFolder(host);
  if (run === undefined) await reapAndReport(host, folder);
  const live = await findLive(folder, host.clock, run);
  if (!live) throw notUp(folder);
  const answer = await within(host.clock, answerMs, unlessGone(live.client.ask('status', {})));
  live.client.close();
  if (answer === 'gone') throw notUp(folder);
  if (answer) return answer;
  throw new Problem({
    code: 'world.unreachable',
    where: `the keeper of run ${live.lock.run}`,
    what: `it did not answer within ${answerMs / 1_000} s`,
    allowed: 'a keeper that answers at once',
    next: 'it was stopped (SIGSTOP), or hangs: `shakedown down` ends it, and its guard removes everything',
  });
}
