/** A call to an MCP server: a service, or a program on stdio. */

import { argvOf, type Spec, type StepKind, serviceTarget, textsOf, withoutKey } from '../kind/step-kind.ts';
import { mcpEvidence } from './evidence.ts';
import { mcpFlow } from './flow.ts';
import { mcpRecorder } from './record.ts';

export const mcpStep: StepKind = {
  driver: 'mcp',
  needsListener: true,
  oneOf: ['tool', 'list', 'request'],
  target: serviceTarget,
  evidence: mcpEvidence,
  unsent: ['mcp', 'transport', 'era', 'session'],
  flow: mcpFlow,
  recorder: mcpRecorder,
  toDriver: (spec) => {
    const { mcp } = spec;
    const rest = { ...withoutKey(spec, 'mcp'), ...textsOf(spec, 'headers') };
    if (typeof mcp !== 'object' || mcp === null) return { step: { ...rest, target: mcp } };
    const program = mcp as Spec;
    return { step: { ...rest, stdio: argvOf(program.stdio), ...textsOf(program, 'env') } };
  },
};
