/** What is said on the keeper's socket: one JSON object a line. */
import type { JournalEvent } from '../../journal/event.ts';
import type { ProblemData } from '../../kernel/problem.ts';
import type { Disturbance } from '../../taps/disturbance.ts';
import type { ProcessIdentity } from '../containment/process-table.ts';
import type { EnvironmentStatus } from '../environment-status.ts';

/** Requests by name: what is sent, and what is answered. */
export interface Requests {
  /** From now on every event, the earlier ones first. */
  subscribe: { params: { as: string }; result: { missed: number } };
  status: { params: Record<never, never>; result: EnvironmentStatus };
  /** Answers when everything is gone. */
  down: { params: { because: string; hurry?: boolean }; result: DownResult };
  disturb: { params: { from: string; to: string; rule: Disturbance }; result: Record<never, never> };
  /** Fills in `${…}` for somebody outside. */
  resolve: { params: { texts: readonly string[] }; result: { texts: readonly string[] } };
  /** The user's own command runs beside the environment; the ledger knows it until it has ended. */
  commandStarted: {
    params: { argv: readonly string[]; process: ProcessIdentity };
    result: Record<never, never>;
  };
  commandEnded: { params: { code: number | null; signal: string | null }; result: Record<never, never> };
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

export type KeeperMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly problem: ProblemData }
  | { readonly event: JournalEvent };
