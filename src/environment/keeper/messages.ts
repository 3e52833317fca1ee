/** The messages on the keeper's socket: one JSON object per line. */
import type { CallEvent } from '../../journal/call-event.ts';
import type { EnvironmentFacts } from '../../journal/environment-facts.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { EdgeEnds } from '../../kernel/edge-name.ts';
import type { ProblemData } from '../../kernel/problem.ts';
import type { AttemptEnded } from '../../resources/resource.ts';
import type { StepGave } from '../../resources/script-values.ts';
import type { Disturbance } from '../../taps/disturbance.ts';
import type { ExchangeRule } from '../../taps/exchanges/exchange-rule.ts';
import type { ShapeOrder } from '../../taps/stdio/answer-gate.ts';
import type { ProcessIdentity } from '../containment/process-table.ts';
import type { EnvironmentStatus } from '../environment-status.ts';
import type { ServiceActed } from '../renewal/act-on-service.ts';
import type { RenewalLevel } from '../renewal/plan-renewal.ts';
import type { Renewed } from '../renewal/renew.ts';
import type { ServiceAction } from '../renewal/service-actions.ts';
import type { PeersBegin } from './direct-peers.ts';
import type { InsideAnswer, InsideParams } from './inside-service.ts';
import type { Quiet } from './wait-for-quiet.ts';

type Nothing = Record<never, never>;

export interface Traffic {
  /** The time of this answer, in milliseconds on the keeper's journal. */
  readonly at: number;
  readonly edges: ReadonlyArray<EdgeEnds & { readonly bytesSent: number; readonly bytesReceived: number }>;
}

/** Requests by name, with their parameters and results. */
export interface Requests {
  /** A liveness check: answered at once, whatever else is under way. */
  ping: { params: Nothing; result: Nothing };
  /** Sends every event from now on, the earlier ones first. */
  subscribe: { params: { as: string }; result: { missed: number } };
  status: { params: Nothing; result: EnvironmentStatus };
  /** Answers when everything is down. */
  down: { params: { because: string; forceStop?: boolean }; result: DownResult };
  /** What observers need to know about the environment. */
  facts: { params: Nothing; result: EnvironmentFacts };
  /**
   * Waits until every edge has been idle for `settleMs` from now on, and no longer than `withinMs`. Then for `unusedMs` more while lines
   * of scripts are left that must be used. Calls over stdio that began before `since`, on the keeper's journal, are not waited for.
   */
  quiet: {
    params: { settleMs: number; withinMs: number; unusedMs?: number; since?: number };
    result: Quiet;
  };
  /** The traffic on each edge since the environment began. */
  traffic: { params: Nothing; result: Traffic };
  /** Acts on one service; answers when that is done, which means ready for a service that was started. */
  service: { params: { name: string; do: ServiceAction }; result: ServiceActed };
  /** Runs a command inside of the container of a service; answers when it has ended, or when its time is over. */
  inside: { params: InsideParams; result: InsideAnswer };
  /** Resets the environment between two trials. */
  renew: { params: { level: RenewalLevel }; result: Renewed };
  /** An attempt begins: models and third parties forget their previous scripts. */
  peersBegin: { params: PeersBegin; result: Nothing };
  /** Values of a step that lines of scripts refer to. */
  peersLearn: { params: StepGave; result: Nothing };
  /** The attempt is over: unused lines are reported in the journal. */
  peersSettle: { params: AttemptEnded; result: Nothing };
  /** Rules for single exchanges of an edge; they replace earlier ones, and an empty list removes them. */
  disturbExchanges: { params: EdgeEnds & { rules: readonly ExchangeRule[] }; result: Nothing };
  /** A call over stdio, reported by the tap that runs in place of the tool server, on the clock of the machine. */
  stdioCall: { params: { call: CallEvent }; result: Nothing };
  /** A request over stdio has passed: returns whether its answer must be sent in another shape. */
  stdioAsked: { params: EdgeEnds & { method: string }; result: { order?: ShapeOrder } };
  /** Such an answer is about to be sent, or the shape does not fit. */
  stdioMet: { params: EdgeEnds & { order: ShapeOrder; isFit: boolean }; result: Nothing };
  disturb: { params: EdgeEnds & { rule: Disturbance }; result: Nothing };
  /** Fills in `${…}` for a consumer outside. */
  resolve: { params: { texts: readonly string[] }; result: { texts: readonly string[] } };
  /**
   * A program runs beside the environment, outside of the keeper's reach; it is in the ledger until it has ended. Any
   * number at once.
   */
  commandStarted: {
    /** `files` are its outputs. */
    params: { argv: readonly string[]; process: ProcessIdentity; files?: readonly string[] };
    result: Nothing;
  };
  commandEnded: { params: { pid: number; code: number | null; signal: string | null }; result: Nothing };
}

export interface DownResult {
  readonly leftBehind: readonly string[];
  readonly problems: readonly ProblemData[];
}

export type RequestName = keyof Requests;

export type ClientMessage = {
  [Name in RequestName]: {
    readonly id: number;
    readonly request: Name;
    readonly params: Requests[Name]['params'];
  };
}[RequestName];

/** The first line on the socket of the run folder; see `keeper-socket.ts`. */
export interface Greeting {
  readonly token: string;
}

/** An answer without an id belongs to a line that was not a valid request. */
export type KeeperMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id?: number; readonly problem: ProblemData }
  | { readonly event: JournalEvent };
