/** Entry of the keeper's process: `node keeper-main <run folder>`, started by the guard. */
import { systemClock } from '../../kernel/clock.ts';
import { readPlan } from '../plan.ts';
import { keep } from './keeper.ts';
import { launcherDescriptor, openLifeline } from './lifeline.ts';

const runFolder = process.argv[2];
if (runFolder === undefined) throw new Error('the keeper needs the run folder as its argument');
process.title = 'shakedown-keeper';
const lifeline = openLifeline(launcherDescriptor);
// Until there is a plan, nothing has been made, and whoever launched us may still give it up.
const told = await lifeline.planned;
if (!told) process.exit(0);
// The socket is made relative to here: the path of a unix socket must be short.
process.chdir(runFolder);
const { system, ...secrets } = told;
process.exitCode = await keep({
  plan: { ...readPlan(runFolder), system },
  clock: systemClock,
  ...secrets,
  guardPid: Number(process.env.SHAKEDOWN_GUARD),
  lifeline,
});
process.exit();
