/** The closed vocabulary of what a run can write down. A new kind of event is a change of this file, never a free text. */
import type { ProblemData } from '../kernel/problem.ts';
import type { CallEvent } from './call-event.ts';
import type { ModelCalled, PeerCalled, PeerRecorded, PeerUnused, SpanReceived } from './peer-event.ts';

export const journalVersion = 2;

/** Version 1 had no checksums; it is read as before. */
export type JournalVersion = 1 | typeof journalVersion;

/** First line of every journal. */
export interface JournalHeader {
  readonly journal: JournalVersion;
  readonly run: string;
  readonly environment: string;
  readonly system: string;
  readonly seed: string;
  readonly tool: string;
  /** Wall time of the run's first moment; every `at` counts from here. */
  readonly startedAt: string;
}

/** Why an environment goes down. */
export type StopCause =
  | 'asked'
  | 'boot-failed'
  | 'launcher-gone'
  | 'guard-gone'
  | 'folder-gone'
  | 'signal'
  | 'journal-failed';

export type NodeKind = 'resource' | 'job' | 'service';

/** The disturbance that was applied to an edge. */
export type DisturbanceKind = 'pass' | 'refuse' | 'deny' | 'cut' | 'delay' | 'hold' | 'garble' | 'wrong';

export type ConnectionEnd =
  /** Both sides ended. */
  | 'closed'
  /** The consumer broke off with a reset. */
  | 'reset-by-consumer'
  | 'reset-by-provider'
  /** The provider did not take the connection. */
  | 'unreachable'
  /** The tap ended it, on request. */
  | 'cut'
  /** The environment went down under it. */
  | 'tap-closed';

export type JournalEventBody =
  | { readonly type: 'environment.booting'; readonly nodes: number; readonly containment: string }
  | { readonly type: 'environment.ready'; readonly bootMs: number }
  | { readonly type: 'environment.failed'; readonly problems: readonly ProblemData[] }
  | { readonly type: 'environment.stopping'; readonly cause: StopCause; readonly because: string }
  | { readonly type: 'environment.down'; readonly leftBehind: readonly string[] }
  | {
      readonly type: 'node.waiting';
      readonly kind: NodeKind;
      readonly name: string;
      readonly after: readonly string[];
    }
  | { readonly type: 'node.starting'; readonly kind: NodeKind; readonly name: string }
  | {
      readonly type: 'node.started';
      readonly kind: NodeKind;
      readonly name: string;
      readonly pid?: number;
      readonly argv?: readonly string[];
      /** The name of its container, where it runs in one. */
      readonly container?: string;
    }
  /** It is somebody else's, and was found at this address of the host that the config names. */
  | {
      readonly type: 'node.attached';
      readonly kind: 'service';
      readonly name: string;
      readonly url: string;
      readonly address: string;
    }
  /** Its work was found in a snapshot that an earlier run kept under this key; it was not run. */
  | { readonly type: 'node.reused'; readonly kind: 'job'; readonly name: string; readonly key: string }
  | { readonly type: 'node.ready'; readonly kind: NodeKind; readonly name: string; readonly address?: string }
  | {
      readonly type: 'node.failed';
      readonly kind: NodeKind;
      readonly name: string;
      readonly problem: ProblemData;
    }
  | {
      readonly type: 'node.exited';
      readonly kind: NodeKind;
      readonly name: string;
      readonly code: number | null;
      readonly signal: string | null;
      readonly expected: boolean;
    }
  | {
      readonly type: 'node.stopped';
      readonly kind: NodeKind;
      readonly name: string;
      readonly how: 'asked' | 'killed';
    }
  | { readonly type: 'port.retried'; readonly name: string; readonly taken: number; readonly attempt: number }
  | { readonly type: 'file.rendered'; readonly name: string; readonly file: string; readonly bytes: number }
  | { readonly type: 'edge.listening'; readonly from: string; readonly to: string; readonly url: string }
  | {
      readonly type: 'edge.disturbed';
      readonly from: string;
      readonly to: string;
      readonly rule: DisturbanceKind;
    }
  /** A disturbance that a trial declared has taken effect. */
  | {
      readonly type: 'disturbance.felt';
      readonly from: string;
      readonly to: string;
      /** As the trial names it: `disturb[0]`. Of a rule for whole connections: its kind. */
      readonly disturbance: string;
      /** 0 where no single call was meant. */
      readonly crossing: number;
      readonly connection: number;
      /** What was done, with its place: `cut by fin before event 2, after 212 bytes`. */
      readonly what: string;
    }
  /** A shape that a trial declared met its call, and does not fit it. */
  | {
      readonly type: 'disturbance.unfit';
      readonly from: string;
      readonly to: string;
      readonly disturbance: string;
      readonly crossing: number;
      readonly connection: number;
      readonly what: string;
    }
  | {
      readonly type: 'connection.opened';
      readonly from: string;
      readonly to: string;
      readonly connection: number;
    }
  | {
      readonly type: 'connection.refused';
      readonly from: string;
      readonly to: string;
      /** `too-many`: more than we can carry ourselves; `what` says why, and what to do. */
      readonly because: 'rule' | 'provider-unreachable' | 'provider-not-listening' | 'too-many';
      readonly what?: string;
    }
  | {
      readonly type: 'connection.closed';
      readonly from: string;
      readonly to: string;
      readonly connection: number;
      readonly end: ConnectionEnd;
      /** Consumer to provider, and back. */
      readonly bytesSent: number;
      readonly bytesReceived: number;
      readonly openMs: number;
      /** From the connection's first moment to the first byte of the provider's answer. */
      readonly firstByteMs?: number;
    }
  | CallEvent
  | ModelCalled
  | PeerCalled
  | PeerUnused
  | PeerRecorded
  | SpanReceived
  | { readonly type: 'command.started'; readonly argv: readonly string[]; readonly pid: number }
  | {
      readonly type: 'command.exited';
      readonly pid: number;
      readonly code: number | null;
      readonly signal: string | null;
    }
  /** The log of a service was too large: these bytes of it are gone. */
  | { readonly type: 'log.dropped'; readonly name: string; readonly from: number; readonly to: number }
  /** A log is too large, and nothing can be dropped here. */
  | { readonly type: 'log.uncapped'; readonly name: string; readonly because: string }
  /** The journal is full: from here on it has no more calls, spans and connections; listeners still get them. */
  | { readonly type: 'journal.full'; readonly bytes: number }
  /** A process that outlived the service which started it. */
  | { readonly type: 'stray.ended'; readonly commandLine: string }
  | { readonly type: 'teardown.failed'; readonly step: string; readonly problem: ProblemData };

/** An event as it is in the journal: numbered, and timed in milliseconds since the run's first moment. */
export type JournalEvent = JournalEventBody & { readonly seq: number; readonly at: number };

/** Anything that can take an event: the writer, or a test that keeps them in a list. */
export type Emit = (event: JournalEventBody) => void;

/** What a rule did that gave the provider a request twice; the second is not its consumer's. */
export const sentTwice = 'sent the request to the provider a second time';
