/** `flow(…)`: declares a trial whose steps are code. Called while its file is imported, in a process of its own. */
import type { FlowContext, FlowOptions } from './flow-context.ts';
import { flowRegistry, type RegisteredFlow } from './flow-registry.ts';

export type FlowBody = (context: FlowContext) => Promise<void> | void;

export function flow(title: string, options: FlowOptions, body: FlowBody): void {
  const registry = flowRegistry();
  if (!registry)
    throw new Error(
      'a flow is declared in a file of its own, *.flow.ts, which `shakedown run` finds and reads',
    );
  const flow: RegisteredFlow = { title, options, body, call: new Error('here') };
  registry.add(flow);
}
