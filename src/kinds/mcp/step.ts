/** A call to an MCP server: a service, or a program on stdio. */
import { alike, errorText, measured, requested, system } from '../kind/evidence.ts';
import { argvOf, type Spec, type StepKind, serviceTarget, textsOf, withoutKey } from '../kind/step-kind.ts';
import { mcpFlow } from './flow.ts';
import { mcpFormat } from './format.ts';
import { mcpRecorder } from './record.ts';

export const mcpStep: StepKind = {
  driver: 'mcp',
  needsListener: true,
  oneOf: ['tool', 'list', 'request'],
  target: serviceTarget,
  evidence: {
    format: mcpFormat,
    fields: {
      ...alike('isError status', system),
      result: { ...system, isRare: true, isOptional: true, isContent: true, isBody: true },
      content: {
        ...system,
        isOptional: true,
        isContent: true,
        isBody: true,
        isWireList: true,
        fields: { type: { ...system, enum: ['text', 'image', 'audio', 'resource', 'resource_link'] } },
      },
      rpcError: { ...system, type: 'object', isRare: true },
      tools: { ...system, isOptional: true, isBody: true },
      ...alike('resources prompts resourceTemplates names pages requests notifications', system),
      ...alike('anomalies dropped', measured),
      protocolVersion: system,
      transport: requested,
      ...alike('server resultType during', system),
    },
    outcome: {
      field: 'isError',
      words: (isError) => (isError === true ? 'failed' : 'result'),
      failure: {
        what: 'an error of the tool',
        isWell: (isError) => isError === false,
        answers: (healthy) => [
          { ...healthy, isError: true, result: errorText, content: [{ type: 'text', text: errorText }] },
        ],
      },
    },
  },
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
