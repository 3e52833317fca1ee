/** Collects the flows of a file while it is imported; the importer opens the registry first. */
import type { FlowBody } from './flow.ts';

export interface RegisteredFlow {
  /** As given; not validated yet. */
  readonly title: unknown;
  readonly options: unknown;
  readonly body: FlowBody;
  /** Its stack says where the flow was declared. */
  readonly call: Error;
}

export interface FlowRegistry {
  add(flow: RegisteredFlow): void;
}

/** On the process rather than in the module: a file may import another copy of this package. */
const key = Symbol.for('shakedown.flows');

export function flowRegistry(): FlowRegistry | undefined {
  return Reflect.get(globalThis, key) as FlowRegistry | undefined;
}

export function openFlowRegistry(registry: FlowRegistry): void {
  Reflect.set(globalThis, key, registry);
}
