/** What `report.html` holds: the verdict, and the journals as they are on disk, compressed a few trials at a time. */
import type { FlakeLedger } from '../../checks/trial-history.ts';
import type { RunVerdict } from '../../checks/verdict.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';

/** The id of the script element with the index; that of a chunk ends with its number. */
export const embeddedIds = { index: 'report-index', chunk: 'report-chunk-' } as const;

export interface ReportIndex {
  /** Of several shards: all of their trials. */
  readonly verdict: RunVerdict;
  /** The runs it was made of: one, or several shards. */
  readonly runs: readonly ReportedRun[];
  readonly boots: readonly ReportedBoot[];
  /** What the requirements of the verdict say. */
  readonly requirements: readonly { readonly id: string; readonly title?: string; readonly text: string }[];
  /** Those of the stored runs that are not steady, the most urgent first. */
  readonly flakes: FlakeLedger['trials'];
  /** Trial to the number of the chunk that holds its attempts; a trial without evidence has none. */
  readonly chunkOf: Readonly<Record<string, number>>;
  /** Facts beside the verdict, such as chunks that were left out because the file would be too large. */
  readonly notes: readonly string[];
}

export interface ReportedRun {
  readonly run: string;
  /** Relative to the working folder of who wrote the report. */
  readonly folder: string;
  readonly startedAt: string;
  readonly seed: string;
  readonly variant: Readonly<Record<string, string>>;
  readonly system: string;
}

/** The journal of an environment until it was ready. */
export interface ReportedBoot {
  readonly run: string;
  readonly environment: string;
  readonly events: readonly JournalEvent[];
}

/** A chunk is a list of these, as JSON, packed with gzip and printed in base64. */
export interface ReportedTrial {
  readonly id: string;
  readonly attempts: readonly ReportedAttempt[];
  /** The newest attempt that passed, in another run, where this one did not pass. */
  readonly reference?: ReportedAttempt;
}

export interface ReportedAttempt {
  readonly run: string;
  readonly attempt: number;
  /** The evidence, below the folder of the run. */
  readonly folder: string;
  readonly startedAt: string;
  readonly events: readonly AttemptEvent[];
  /** Why the journal could not be read, or not to its end. */
  readonly unreadable?: string;
}

/** In the place of a value that is too large to be embedded. */
export interface LeftOut {
  readonly $leftOut: { readonly bytes: number; readonly beginning: string };
}

export function isLeftOut(value: unknown): value is LeftOut {
  return typeof value === 'object' && value !== null && '$leftOut' in value;
}
