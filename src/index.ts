/** What `import … from 'shakedown'` gives. */
export { defineSystem, http, model, postgres, ref, telemetry } from './system/define-system.ts';
export type { SystemDocument } from './system/document/system-document.ts';
export { type FlowBody, flow } from './trials/flow/flow.ts';
export type {
  ActOptions,
  CheckOptions,
  CommandEvidence,
  Connection,
  ConnectionEvidence,
  FlowContext,
  FlowOptions,
  HttpEvidence,
  McpEvidence,
  Observation,
  Program,
} from './trials/flow/flow-context.ts';
