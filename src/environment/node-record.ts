/** The state of each node that an environment boots. */
import type { NodeKind } from '../journal/event.ts';
import type { ProvisionedResource } from '../resources/resource.ts';
import type { SecureRelay } from './attached/secure-relay.ts';
import type { MadeContainer } from './containers/run-container.ts';
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
  /** The shortest time that it took to become ready. */
  readyMs?: number;
  process?: RunningProcess;
  /** Its container, which outlives its processes. */
  made?: MadeContainer;
  /** How many containers it has had. */
  boxes?: number;
  /** The process that is being stopped: its exit is expected. */
  ending?: RunningProcess;
  /** The ports that are reserved for it. */
  ports?: ChosenPorts;
  resource?: ProvisionedResource;
  /** Of one that is somebody else's: where it is, and what speaks TLS to it. */
  attached?: { readonly origins: readonly string[]; readonly relays: readonly SecureRelay[] };
  /** From listener to the address at which the program itself listens. */
  readonly addresses: Map<string, Address>;
}
