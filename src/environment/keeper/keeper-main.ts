/** Entry of the keeper's process: `node keeper-main <run folder>`, started by the guard. */
import { systemClock } from '../../kernel/clock.ts';
import { readPlan } from '../plan.ts';
import { keep } from './keeper.ts';
import { launcherDescriptor, openLifeline } from './lifeline.ts';

const runFolder = process.argv[2];
if (runFolder === undefined) throw new Error('the keeper needs the run folder as its argument');
process.title = 'shakedown-keeper';
const lifeline = openLifeline(launcherDescriptor);
// Until there is a plan, nothing exists yet, and the launcher may still cancel.
const received = await lifeline.planned;
if (!received) process.exit(0);
// The socket is created relative to this folder, because the path of a unix socket must be short.
process.chdir(runFolder);
const { system, ...secrets } = received;
process.exitCode = await keep({
  plan: { ...readPlan(runFolder), system },
  clock: systemClock,
  ...secrets,
  guardPid: Number(process.env.SHAKEDOWN_GUARD),
  lifeline,
});
process.exit();
