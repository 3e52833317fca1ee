/** The driver `mcp`: lists and calls what a server offers, over stdio, streamable HTTP or HTTP+SSE, in every era of the protocol. */
import { givenUp } from '../act-error.ts';
import type { Driver } from '../driver.ts';
import { createAttemptClients } from './attempt-clients.ts';
import { failedAct, McpAct } from './mcp-act.ts';
import { describeStep, type McpStep } from './mcp-step.ts';

export const mcpDriver: Driver<McpStep> = {
  name: 'mcp',
  describe: describeStep,
  start: (step, context) => {
    if (context.signal.aborted) return failedAct(givenUp.message);
    try {
      // Without anything in common between steps, a client lives as long as its connection.
      const clients = context.resources?.once('mcp', createAttemptClients) ?? createAttemptClients();
      return new McpAct(step, context, (call) => clients.take(step, context, call));
    } catch (error) {
      return failedAct(error);
    }
  },
};
