/** What is known of each thing that an environment boots, while it boots and after. */
import type { NodeKind } from '../journal/event.ts';
import type { ProvisionedResource } from '../resources/resource.ts';
import type { RunningProcess } from './processes/start-process.ts';
import type { ChosenPorts } from './service-ports.ts';
import type { Address } from './wiring/address-book.ts';

export type NodeState = 'waiting' | 'starting' | 'ready' | 'done' | 'failed' | 'exited' | 'stopped';

export interface NodeRecord {
  readonly kind: NodeKind;
  readonly name: string;
  readonly logFile: string;
  state: NodeState;
  /** How often its process was started. */
  starts: number;
  /** How long its quickest start took until it was ready. */
  readyMs?: number;
  process?: RunningProcess;
  /** The process that we are ending: its exit is expected. */
  ending?: RunningProcess;
  /** What it was told to listen on, as long as the ports are held for it. */
  ports?: ChosenPorts;
  resource?: ProvisionedResource;
  /** Listener to the address at which the program itself listens. */
  readonly addresses: Map<string, Address>;
}
