/** The driver `mcp`: lists and calls what a server offers, over stdio, streamable HTTP or HTTP+SSE, in every era of the protocol. */
import type { Driver } from '../driver.ts';
import { createAttemptClients } from './attempt-clients.ts';
import { startMcpAct } from './mcp-act.ts';
import { describeStep, type McpStep } from './mcp-step.ts';

export const mcpDriver: Driver<McpStep> = {
  name: 'mcp',
  describe: describeStep,
  start: (step, context) =>
    startMcpAct(step, context, (call) => {
      // Without anything in common between steps, a client lives as long as its connection.
      const clients = context.resources?.once('mcp', createAttemptClients) ?? createAttemptClients();
      return clients.take(step, context, call);
    }),
};
