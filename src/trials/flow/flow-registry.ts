/** Where the flows of a file are put while it is imported; whoever imports it opens the registry first. */
import type { FlowBody } from './flow.ts';

export interface RegisteredFlow {
  /** As they were given; nothing of it is checked yet. */
  readonly title: unknown;
  readonly options: unknown;
  readonly body: FlowBody;
  /** Its stack says where the flow was declared. */
  readonly call: Error;
}

export interface FlowRegistry {
  add(flow: RegisteredFlow): void;
}

/** On the process rather than in the module: a file may have found another copy of this package. */
const key = Symbol.for('shakedown.flows');

export function flowRegistry(): FlowRegistry | undefined {
  return Reflect.get(globalThis, key) as FlowRegistry | undefined;
}

export function openFlowRegistry(registry: FlowRegistry): void {
  Reflect.set(globalThis, key, registry);
}
