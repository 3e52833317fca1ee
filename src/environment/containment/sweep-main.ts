/** Entry of the sweep: `node sweep-main <run folder> <workspace>`, called by the guard after a crash of the keeper. */
import { text } from 'node:stream/consumers';
import { systemClock } from '../../kernel/clock.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { planFolder, readPlan } from '../plan.ts';
import { sweep } from './sweep.ts';

const [, , runFolder, workspace] = process.argv;
if (runFolder === undefined || workspace === undefined)
  throw new Error('the sweep needs the run folder and the workspace as its arguments');
// On standard input, because other processes can read arguments and variables.
const key = (await text(process.stdin)).trim();
const { redacted } = await sweep(
  readPlan(planFolder(runFolder, workspace) ?? runFolder),
  systemClock,
  process.env,
  { key, isInside: process.pid === 1 },
);
if (redacted.length > 0) console.error(`left behind: ${redacted.join('; ')}`);
process.exitCode = redacted.length > 0 ? exitCodes.leftBehind : exitCodes.held;
