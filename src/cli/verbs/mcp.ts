/** `shakedown mcp`: gives coding agents the trials, runs and evidence of a project as tools. */
import { withInterrupts } from '../../campaigns/session/interrupts.ts';
import type { Verb } from '../call/verb.ts';
import { serve } from '../mcp/serve.ts';

export const mcp: Verb = {
  summary: 'serve trials, runs and evidence to coding agents, over MCP on standard input and output',
  usage: '',
  run: (call) => withInterrupts((interrupts) => serve(call, interrupts)),
};
