/** What a readiness probe may know of the service that it looks at. */
import type { Clock } from '../../kernel/clock.ts';

export interface ReadinessSubject {
  readonly name: string;
  readonly clock: Clock;
  readonly logFile: string;
  /** Where this life of the service begins in its log. */
  readonly logOffset: number;
  /** How long the quickest life before this one took to be ready; undefined in its first. */
  readonly readyBeforeMs?: number | undefined;
  /** The service's own address, not a tap's; undefined while the service has not told its port. */
  address(listener?: string): { readonly host: string; readonly port: number } | undefined;
  /** Runs a command as the service would, and gives its exit code and the end of its output. */
  runCommand(
    argv: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly code: number | null; readonly output: string }>;
}
