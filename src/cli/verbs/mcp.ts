/** `shakedown mcp`: gives coding agents the trials, runs and evidence of a project as tools. */

import { serve } from '../../agents/serve.ts';
import { withInterrupts } from '../../campaigns/session/interrupts.ts';
import type { Verb } from '../call/verb.ts';
import { writeReports } from '../report/write-reports.ts';

export const mcp: Verb = {
  summary: 'serve trials, runs and evidence to coding agents, over MCP on standard input and output',
  usage: '',
  run: (call) => {
    const { hint, reserveOutput } = call.terminal;
    return withInterrupts((interrupts) => serve({ ...call, hint, reserveOutput, writeReports }, interrupts));
  },
};
