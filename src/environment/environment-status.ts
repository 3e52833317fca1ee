/** The output of `status`. The names are part of the public interface. */
import type { Containment } from './containment/containment.ts';
import type { NodeState } from './node-record.ts';

/** `degraded`: it was ready, and a process has died since. */
export type EnvironmentState = 'booting' | 'ready' | 'degraded' | 'failed' | 'stopping';

export interface EnvironmentStatus {
  readonly environment: string;
  readonly system: string;
  readonly state: EnvironmentState;
  readonly run: string;
  readonly runFolder: string;
  readonly containment: Containment;
  readonly variant: Readonly<Record<string, string>>;
  readonly startedAt: string;
  readonly keeper: { readonly pid: number; readonly guardPid: number };
  readonly services: ReadonlyArray<{
    readonly name: string;
    readonly pid: number | null;
    readonly state: NodeState;
    readonly url: string | null;
    /** How it ended; null while it runs. */
    readonly exit: { readonly code: number | null; readonly signal: string | null } | null;
    /** Of one that is somebody else's: where it is, as far as it was found. */
    readonly at?: readonly string[];
  }>;
  readonly jobs: ReadonlyArray<{ readonly name: string; readonly state: NodeState }>;
  readonly resources: ReadonlyArray<{
    readonly name: string;
    readonly kind: string;
    readonly pid: number | null;
    readonly state: NodeState;
    readonly url: string | null;
    readonly summary: string | null;
  }>;
  readonly edges: ReadonlyArray<{ readonly from: string; readonly to: string; readonly url: string }>;
}
