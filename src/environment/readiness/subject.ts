/** What a readiness probe can access of its service. */
import type { Clock } from '../../kernel/clock.ts';
import type { Address } from '../wiring/address-book.ts';
import type { Look } from './look.ts';

export interface ReadinessSubject {
  readonly name: string;
  readonly clock: Clock;
  readonly logFile: string;
  /** Where the log of the service's current process begins. */
  readonly logOffset: number;
  /** The shortest time that an earlier process took to become ready; undefined for the first. */
  readonly readyBeforeMs?: number | undefined;
  /** The service's own address, not a tap's; undefined while the service has not reported its port. */
  address(listener?: string): Address | undefined;
  /** Of a container: what its own healthcheck says. */
  readonly health?: Look;
  /** Runs a command as the service would, and returns its exit code and the end of its output. */
  runCommand(
    argv: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly code: number | null; readonly output: string }>;
}
