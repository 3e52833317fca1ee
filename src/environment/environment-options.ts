/** The options of an environment. */

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
  /** The disposable folder; removed with the environment. */
  readonly workspace: string;
  readonly cacheFolder: string;
  readonly seed: string;
  /** The name and version of this tool. */
  readonly tool?: string;
  /** The values of `${matrix.NAME}`. */
  readonly variant: Readonly<Record<string, string>>;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Milliseconds since the start of the journal, for events that are reported late. */
  readonly at?: (moment?: number) => number;
  readonly ledger: Ledger;
  readonly hostPids: HostPids;
  /** Take a snapshot of each resource that supports it after the jobs. */
  readonly snapshots?: boolean;
  /** A process died while the environment was up. */
  readonly onDeath?: (node: NodeRecord, problem: Problem) => void;
}
