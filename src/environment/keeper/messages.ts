/** What is said on the keeper's socket: one JSON object a line. */

import type { EnvironmentFacts } from '../../journal/environment-facts.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { ProblemData } from '../../kernel/problem.ts';
import type { AttemptEnded } from '../../resources/resource.ts';
import type { StepGave } from '../../resources/script-values.ts';
import type { Disturbance } from '../../taps/disturbance.ts';
import type { ExchangeRule } from '../../taps/exchanges/exchange-rule.ts';
import type { ShapeOrder } from '../../taps/stdio/answer-gate.ts';
import type { ProcessIdentity } from '../containment/process-table.ts';
import type { EnvironmentStatus } from '../environment-status.ts';
import type { ServiceActed, ServiceAction } from '../renewal/act-on-service.ts';
import type { RenewalLevel } from '../renewal/plan-renewal.ts';
import type { Renewed } from '../renewal/renew.ts';
import type { Traffic } from './describe-traffic.ts';
import type { PeersBegin } from './direct-peers.ts';
import type { StdioCall } from './stdio-calls.ts';
import type { Quiet } from './wait-for-quiet.ts';

/** Requests by name: what is sent, and what is answered. */
export interface Requests {
  /** Whether it is there at all: answered at once, whatever else is under way. */
  ping: { params: Record<never, never>; result: Record<never, never> };
  /** From now on every event, the earlier ones first. */
  subscribe: { params: { as: string }; result: { missed: number } };
  status: { params: Record<never, never>; result: EnvironmentStatus };
  /** Answers when everything is gone. */
  down: { params: { because: string; hurry?: boolean }; result: DownResult };
  /** What observers need to know of the environment. */
  facts: { params: Record<never, never>; result: EnvironmentFacts };
  /** Waits until every edge has been idle for `settleMs` from now on, and no longer than `withinMs`. */
  quiet: { params: { settleMs: number; withinMs: number }; result: Quiet };
  /** What has crossed each edge since the environment began, at this moment. */
  traffic: { params: Record<never, never>; result: Traffic };
  /** Acts on one service; answers when that is done: a service that was started is ready then. */
  service: { params: { name: string; do: ServiceAction }; result: ServiceActed };
  /** Makes everything as good as new between two trials. */
  renew: { params: { level: RenewalLevel }; result: Renewed };
  /** An attempt begins: what was told to models and third parties before is forgotten. */
  peersBegin: { params: PeersBegin; result: Record<never, never> };
  /** What a step gave that lines of scripts refer to. */
  peersLearn: { params: StepGave; result: Record<never, never> };
  /** The attempt is over: what was not used is told in the journal. */
  peersSettle: { params: AttemptEnded; result: Record<never, never> };
  /** Rules for single exchanges of an edge; they replace those before, and none takes them away. */
  disturbExchanges: {
    params: { from: string; to: string; rules: readonly ExchangeRule[] };
    result: Record<never, never>;
  };
  /** A call over stdio, told by the tap that stands in for the tool server. */
  stdioCall: { params: StdioCall; result: Record<never, never> };
  /** A request over stdio has passed: says whether its answer is wanted in another shape. */
  stdioAsked: {
    params: { from: string; to: string; method: string };
    result: { order?: ShapeOrder };
  };
  /** Such an answer is about to be sent, or does not fit. */
  stdioMet: {
    params: { from: string; to: string; order: ShapeOrder; isFit: boolean };
    result: Record<never, never>;
  };
  disturb: { params: { from: string; to: string; rule: Disturbance }; result: Record<never, never> };
  /** Fills in `${…}` for somebody outside. */
  resolve: { params: { texts: readonly string[] }; result: { texts: readonly string[] } };
  /** A program runs beside the environment, outside of the keeper's reach; the ledger knows it until it has ended. Any number at once. */
  commandStarted: {
    /** `files` are where it writes what it saw. */
    params: { argv: readonly string[]; process: ProcessIdentity; files?: readonly string[] };
    result: Record<never, never>;
  };
  commandEnded: {
    params: { pid: number; code: number | null; signal: string | null };
    result: Record<never, never>;
  };
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

/** An answer without a number is to what could not be read as a request. */
export type KeeperMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id?: number; readonly problem: ProblemData }
  | { readonly event: JournalEvent };
