/** What `import … from 'shakedown'` gives. */
export type { CommandEvidence, Program } from './kinds/command/flow.ts';
export type { HttpEvidence } from './kinds/http/flow.ts';
export type { ActOptions, Observation } from './kinds/kind/flow-method.ts';
export type { McpEvidence } from './kinds/mcp/flow.ts';
export type { Connection, ConnectionEvidence } from './kinds/tcp/flow.ts';
export { definePlugin, PluginError, type PluginParts, type PluginRequest } from './plugins/define-plugin.ts';
export {
  defineSystem,
  http,
  model,
  postgres,
  redis,
  ref,
  sqlite,
  telemetry,
} from './system/define-system.ts';
export type { SystemDocument } from './system/document/system-document.ts';
export { type FlowBody, flow } from './trials/flow/flow.ts';
export type {
  CheckOptions,
  FlowContext,
  FlowOptions,
  PluginAct,
  PluginLook,
  PluginMethods,
} from './trials/flow/flow-context.ts';
