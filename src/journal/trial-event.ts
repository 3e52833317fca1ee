/** The closed vocabulary of one attempt: what was declared, done, sent, seen and waited for. */
import type { DeclaredFields } from './declared-field.ts';
import type { EarlierCalls } from './earlier-calls.ts';
import type { JournalEventBody, JournalVersion } from './event.ts';
import type { Topology } from './topology.ts';

/** First line of the journal of an attempt, `trials/<id>/events.ndjson`. */
export interface TrialJournalHeader {
  readonly journal: JournalVersion;
  readonly run: string;
  readonly trial: string;
  readonly attempt: number;
  readonly environment: string;
  readonly system: string;
  readonly seed: string;
  readonly tool: string;
  /** Wall time of the attempt's first moment; every `at` counts from here. */
  readonly startedAt: string;
}

export type ProbeEnd = 'reached' | 'deadline' | 'quiet' | 'attempt-over';

export type AttemptEnd =
  | 'done'
  | 'step-failed'
  /** The scripts of models and third parties, or the rules of taps, cannot be applied. */
  | 'not-staged'
  | 'timeout'
  | 'environment-broken'
  | 'flow-failed'
  | 'interrupted';

export type TrialEventBody =
  /** `trial` is the record that is judged; `scope` holds what `${trial.…}`, `${case.…}` and addresses mean. */
  | {
      readonly type: 'attempt.started';
      readonly uid: string;
      readonly trial: unknown;
      readonly scope: Readonly<Record<string, unknown>>;
      readonly topology?: Topology;
      /** Where the first moment of this journal is on the keeper's, in milliseconds: calls are timed there. */
      readonly keeperAt?: number;
      /** Wall time of the attempt's first moment, as in the header. */
      readonly startedAt?: string;
      readonly before?: EarlierCalls;
    }
  /** `sent` is the step with its references filled in: what the trial itself put into the system. */
  | {
      readonly type: 'step.started';
      readonly step: string;
      readonly action: string;
      readonly sent?: unknown;
    }
  | {
      readonly type: 'step.ended';
      readonly step: string;
      readonly outcome: 'done' | 'failed';
      readonly because?: string;
      readonly evidence: unknown;
      readonly sentBytes: number;
      /** The check whose wait failed; its probe has the same name. */
      readonly waited?: unknown;
    }
  /** A check that a flow declared while it ran; `trial.checks` holds those of a file. */
  | { readonly type: 'check.declared'; readonly check: unknown }
  /** What the source of a check declares of its fields, before its first sample ends; absent in older journals. */
  | { readonly type: 'source.declared'; readonly source: string; readonly fields: DeclaredFields }
  /** The same value from the first to the last of this many samples, all times on this journal. */
  | {
      readonly type: 'probe.sampled';
      readonly probe: string;
      readonly value: unknown;
      readonly from: number;
      readonly to: number;
      readonly samples: number;
    }
  /** The subject could not be observed. */
  | {
      readonly type: 'probe.blind';
      readonly probe: string;
      readonly because: string;
      readonly from: number;
      readonly to: number;
      readonly samples: number;
    }
  | { readonly type: 'probe.ended'; readonly probe: string; readonly end: ProbeEnd }
  | {
      readonly type: 'quiet';
      readonly quiet: boolean;
      readonly waitedMs: number;
      readonly busy: readonly string[];
      /** Bytes that passed the busy edges meanwhile, in their order. */
      readonly busyBytes?: readonly number[];
      /** Edges on which something passed that was not waited for, because the config says so. */
      readonly unwatched?: readonly string[];
    }
  /** What passed during the attempt on edges that do not report single calls; only those on which something passed. */
  | {
      readonly type: 'edges.passed';
      readonly edges: readonly PassedEdge[];
      /** Edges on which a call was open that is not in this journal: a stream that is listened to, or one from before. */
      readonly open?: readonly string[];
    }
  /** A new line of a service that matches the log gate's expression, allowed or not. */
  | {
      readonly type: 'log.error';
      readonly service: string;
      readonly text: string;
      /** Of a traceback with a line above it, or a group of exceptions: what each must be allowed by itself. */
      readonly parts?: readonly string[];
      /** Where it was raised: file, line and function. */
      readonly raisedAt?: string;
    }
  /** The number of lines on which the gate's expression took too long; or unknown, because the log was lost. */
  | {
      readonly type: 'log.undecided';
      readonly service: string;
      readonly lines: number;
      readonly because?: string;
    }
  /** The last lines of a service, for readers of a failure. */
  | { readonly type: 'log.tail'; readonly service: string; readonly lines: readonly string[] }
  | {
      readonly type: 'attempt.ended';
      readonly end: AttemptEnd;
      readonly because?: string;
      readonly durationMs: number;
    };

export interface PassedEdge {
  readonly from: string;
  readonly to: string;
  /** Bytes, consumer to provider, and back. */
  readonly sent: number;
  readonly received: number;
}

/** What the environment did meanwhile is between the attempt's own events, as the keeper reported it. */
export type AttemptEventBody = TrialEventBody | JournalEventBody;

export type AttemptEvent = AttemptEventBody & { readonly seq: number; readonly at: number };

export type EventOf<Type extends AttemptEvent['type']> = Extract<AttemptEvent, { type: Type }>;

/** Those of these types, in their order. */
export function eventsOf<Type extends AttemptEvent['type']>(
  events: readonly AttemptEvent[],
  ...types: readonly Type[]
): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => (types as readonly string[]).includes(event.type));
}
