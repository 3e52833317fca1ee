/** What an `mcp` step gives. */
import { alike, errorText, measured, requested, type StepEvidence, system } from '../kind/evidence.ts';
import { mcpFormat } from './format.ts';

export const mcpEvidence: StepEvidence = {
  format: mcpFormat,
  fields: {
    ...alike('isError status', system),
    result: { ...system, isRare: true, isOptional: true, isContent: true, isBody: true },
    content: { ...system, isOptional: true, isContent: true, isBody: true, isWireList: true },
    rpcError: { ...system, isRare: true },
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
};
