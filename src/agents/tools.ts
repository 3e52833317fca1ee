/** All tools of the server, in the order in which they are listed. */
import type { Tool } from './answer/tool.ts';
import { evidence } from './tools/evidence.ts';
import { judge } from './tools/judge.ts';
import { lint } from './tools/lint.ts';
import { listServices } from './tools/list-services.ts';
import { listTrials } from './tools/list-trials.ts';
import { logs } from './tools/logs.ts';
import { runTrials } from './tools/run-trials.ts';
import { sabotage } from './tools/sabotage.ts';
import { whyFailed } from './tools/why-failed.ts';
import { writeTrial } from './tools/write-trial.ts';

export const tools: readonly Tool[] = [
  ...[listTrials, listServices, runTrials, whyFailed, evidence],
  ...[logs, judge, sabotage, lint, writeTrial],
];
