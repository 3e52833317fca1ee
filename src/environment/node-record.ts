/** What is known of each thing that an environment boots, while it boots and after. */
import type { NodeKind } from '../journal/event.ts';
import type { ProvisionedResource } from '../resources/resource.ts';
import type { RunningProcess } from './processes/start-process.ts';
import type { Address } from './wiring/address-book.ts';

export type NodeState = 'waiting' | 'starting' | 'ready' | 'done' | 'failed' | 'exited' | 'stopped';

export interface NodeRecord {
  readonly kind: NodeKind;
  readonly name: string;
  readonly logFile: string;
  state: NodeState;
  process?: RunningProcess;
  resource?: ProvisionedResource;
  /** Listener to the address at which the program itself listens. */
  readonly addresses: Map<string, Address>;
}
