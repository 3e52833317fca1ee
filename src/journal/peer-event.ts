/** Events of scripted or proxied peers: models, third parties, receivers of telemetry. */
import type { UsageEvidence } from './turn-evidence.ts';

export interface ModelCalled {
  readonly type: 'model.called';
  /** The resource. */
  readonly resource: string;
  /** The service that called. */
  readonly caller: string;
  /** The n-th of this caller in this attempt. */
  readonly call: number;
  readonly mode: 'script' | 'record' | 'cassette' | 'live';
  /** Null where the path is of no dialect. */
  readonly dialect: string | null;
  /** Absent where it was a turn that was asked for. */
  readonly asks?: 'embedding' | 'count';
  readonly model: string | null;
  readonly streamed: boolean;
  readonly status: number;
  /** The id in the head of the answer, where a script gave it. */
  readonly requestId?: string;
  /** The line of the caller's script that answered, from 1. */
  readonly line?: number;
  /** As the answer reported it; null where it did not. */
  readonly usage: UsageEvidence | null;
  /** Null where usage or price is not known: never counted as free. */
  readonly costUsd: number | null;
  /** What budgets were charged: what it cost, or the worst case where that is not known. Where the model is a real one. */
  readonly counted?: { readonly usd: number | null; readonly tokens: number };
  readonly fault?: ModelFault;
  /** Milliseconds on the keeper's journal. */
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface ModelFault {
  readonly kind: ModelFaultKind;
  /** One sentence with the value. */
  readonly what: string;
}

export type ModelFaultKind =
  /** These speak against the trial: */
  /** No line of the script is left, or none fits. */
  | 'unscripted'
  /** Several lines fit. */
  | 'ambiguous'
  /** A line's `expect` did not hold. */
  | 'unexpected-request'
  /** The cassette was recorded with another prompt or other tools. */
  | 'drift'
  /** The script calls a tool that the request does not offer. */
  | 'unknown-tool'
  /** The budget does not allow it. */
  | 'budget'
  /** These are what a provider does, and may be what a trial is about: */
  | 'bad-key'
  | 'bad-request'
  | 'bad-history'
  | 'unknown-model'
  | 'unknown-path'
  /** The shape of its line does not fit the request; it was answered plainly. */
  | 'unfit-shape'
  /** The provider behind us could not be reached, or broke off. */
  | 'upstream';

/** A scripted third party was called, or called back. */
export interface PeerCalled {
  readonly type: 'peer.called';
  readonly resource: string;
  readonly caller: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The answer of the script that was given, from 1; absent where none fitted. */
  readonly line?: number;
  /** The line is one of those that hold in every trial, and is counted among them. */
  readonly standing?: true;
  /** It was the peer that called, after a request of this caller. The status is 0 where nothing was answered. */
  readonly callback?: true;
  /** What answered in place of the script: the real one, or a recording of it, with `line` the number of its call. */
  readonly by?: 'upstream' | 'cassette';
  /** It could not be answered or delivered as scripted. */
  readonly fault?: { readonly kind: PeerFaultKind; readonly what: string };
}

export type PeerFaultKind =
  | 'unscripted'
  | 'ambiguous'
  | 'undelivered'
  /** The recording has another request, or none. */
  | 'drift'
  /** The real one could not be reached, or broke off. */
  | 'upstream';

/** At the end of an attempt a line of a script had not been used. */
export interface PeerUnused {
  readonly type: 'peer.unused';
  readonly resource: string;
  readonly caller: string;
  readonly line: number;
  /** What it would have said, in a few words. */
  readonly what: string;
}

/** At the end of an attempt in which a real one was recorded. */
export interface PeerRecorded {
  readonly type: 'peer.recorded';
  readonly resource: string;
  /** Relative to the config file. */
  readonly file: string;
  /** How many were recorded. */
  readonly calls: number;
  /** Nothing was written, and why. */
  readonly because?: string;
  /** Then: an earlier recording is still there. */
  readonly stays?: true;
}

/** A span came in over OTLP. */
export interface SpanReceived {
  readonly type: 'span';
  readonly resource: string;
  readonly span: SpanEvidence;
  /** It is the last one that is kept of this attempt; says how many that are. */
  readonly more?: string;
}

export interface SpanEvidence {
  /** `service.name` of its resource. */
  readonly service: string | null;
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
  readonly status: { readonly code: 'unset' | 'ok' | 'error'; readonly message?: string };
  readonly durationMs: number;
  /** As the sender's clock had it. */
  readonly startedAt: string;
  /** It was too large to be kept whole: texts end early, or attributes and events are missing. */
  readonly cut?: true;
}
