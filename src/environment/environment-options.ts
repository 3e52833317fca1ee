/** What an environment is made with. */

import type { Emit } from '../journal/event.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Problem } from '../kernel/problem.ts';
import type { System } from '../system/system.ts';
import type { HostPids } from './containment/host-pids.ts';
import type { Ledger } from './containment/ledger.ts';
import type { NodeRecord } from './node-record.ts';

export interface EnvironmentOptions {
  readonly system: System;
  /** The environment's short unique name. */
  readonly label: string;
  readonly run: string;
  readonly runFolder: string;
  /** Disposable folder; gone with the environment. */
  readonly workspace: string;
  readonly cacheFolder: string;
  readonly seed: string;
  /** The Shakedown that this is, with its version. */
  readonly tool?: string;
  /** What `${matrix.NAME}` means here. */
  readonly variant: Readonly<Record<string, string>>;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Milliseconds since the journal's first moment, for what is told later than it happened. */
  readonly at?: () => number;
  readonly ledger: Ledger;
  readonly hostPids: HostPids;
  /** A snapshot of each resource that can have one is taken after the jobs. */
  readonly snapshots?: boolean;
  /** Something died while the environment was up. */
  readonly onDeath?: (node: NodeRecord, problem: Problem) => void;
}
