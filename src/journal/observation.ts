/** What was seen while an external test command ran inside a system: the form of `observe.json`. */

export interface Observation {
  readonly schemaVersion: 1;
  readonly run: string;
  readonly system: string;
  readonly command: ObservedCommand;
  readonly tests: readonly ObservedTest[];
  readonly junit: JunitSources;
  /** How calls were assigned to tests; `by` is null where that is not possible. */
  readonly attribution: { readonly by: 'time' | null; readonly because: string };
  readonly edges: readonly EdgeTraffic[];
  /** Connections that no tap can see. */
  readonly untapped: readonly UntappedEdge[];
  /** New lines that match the log gate and are not allowed. */
  readonly errorLines: readonly { readonly service: string; readonly text: string }[];
  /** Lines on which the gate's expression could not be decided, or that were too many to be kept. */
  readonly undecidedLines: number;
  /** Logs that were removed, replaced or emptied meanwhile. */
  readonly lostLogs?: readonly string[];
  /** Services that ended by themselves, in words. */
  readonly deaths: readonly string[];
  /** What scripted models and third parties were asked, and had no answer for. */
  readonly unscripted: readonly string[];
  /** Command lines of processes that outlived the command, and were ended. */
  readonly strays: readonly string[];
  /** What is still there. */
  readonly leaks: readonly string[];
}

export interface ObservedCommand {
  readonly argv: readonly string[];
  /** Wall time. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** It had not ended when its time was over, and was killed with its whole group. */
  readonly timedOut: boolean;
  readonly timeoutMs: number;
  /** Its output, below the run folder. */
  readonly output: string;
}

export interface JunitSources {
  /** Reports that were read, as they were found. */
  readonly files: readonly string[];
  /** Reports that could not be used, or not wholly, each with its reason. */
  readonly faults: readonly string[];
  /** Where the report was to be: asked for on the command line, or the path that we offered. */
  readonly asked: boolean;
}

export type TestOutcome = 'passed' | 'failed' | 'skipped';

export interface ObservedTest {
  readonly id: string;
  readonly file?: string;
  readonly line?: number;
  readonly outcome: TestOutcome;
  /** Why it failed or was skipped, in a few words. */
  readonly message?: string;
  /** What the runner wrote about it. */
  readonly text?: string;
  readonly durationMs: number | null;
  /** Edges that were crossed while it ran and no other test could have, with how often. Absent where that is not known. */
  readonly touches?: Readonly<Record<string, number>>;
  /** Edges that were crossed when it may have run. */
  readonly mayTouch?: readonly string[];
  /** How often a disturbance was surely met while it ran. Absent where that is not known. */
  readonly met?: number;
  /** How often a connection of its own met one: was refused, reset, or answered by a mutant. Absent where that is not known. */
  readonly metItself?: number;
}

export interface EdgeTraffic {
  readonly from: string;
  readonly to: string;
  /** Single calls can be seen; otherwise only connections and bytes. */
  readonly isWatched: boolean;
  readonly calls: number;
  /** Calls without a whole answer, with a status from 500 on, or with an error of JSON-RPC. */
  readonly errors: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Opened meanwhile. */
  readonly connections: number;
  readonly refused: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

export interface UntappedEdge {
  readonly from: string;
  readonly address: string;
  readonly where: string;
  readonly because: string;
}

/** Whether anything crossed it. */
export function isCrossed({ calls, connections, refused, bytesSent, bytesReceived }: EdgeTraffic): boolean {
  return calls + connections + refused + bytesSent + bytesReceived > 0;
}
