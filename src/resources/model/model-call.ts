/** One call of a model: what came in, and what is written down of it in the end. */
import type { ModelFault } from '../../journal/peer-event.ts';
import type { Question } from '../../protocols/questions/question.ts';
import type { Dialect, ModelRequest } from '../../protocols/turn/dialect.ts';
import type { Usage } from '../../protocols/turn/turn.ts';
import type { AttemptEnded } from '../resource.ts';
import type { StepGave } from '../script-values.ts';
import type { WireReply, WireRequest } from '../wire/wire-server.ts';
import type { RequestView } from './script-line.ts';

export interface ModelCall {
  readonly caller: string;
  /** The n-th of the caller in this attempt, from 1. */
  readonly number: number;
  readonly dialect: Dialect;
  /** Where it is not a turn that is asked for; then it is the dialect too. */
  readonly question?: Question;
  /** As the provider would report it in its headers. */
  readonly requestId: string;
  readonly request: ModelRequest;
  readonly json: unknown;
  readonly wire: WireRequest;
  readonly reply: WireReply;
  view(): RequestView;
}

/** What became of a call. */
export interface CallOutcome {
  readonly status: number;
  /** The line of the caller's script that answered, from 1. */
  readonly line?: number;
  /** As the answer reported it. */
  readonly usage: Usage | null;
  /** Of the answer, where it is not the one that was asked for. */
  readonly model?: string;
  readonly fault?: ModelFault;
  /** What budgets were charged: what it cost, or the worst case where that is not known. */
  readonly counted?: { readonly usd: number | null; readonly tokens: number };
}

/** At once where nothing has to be waited for. */
export type Answered = CallOutcome | Promise<CallOutcome>;

/** The same with more about it; nothing is waited for that need not be. */
export function addTo(answered: Answered, change: (outcome: CallOutcome) => CallOutcome): Answered {
  return answered instanceof Promise ? answered.then(change) : change(answered);
}

/** What answers in one attempt: a script, a recording, or an upstream provider. */
export interface ModelPlayer {
  /** Never throws for anything that a consumer or a provider does. */
  answer(call: ModelCall): Answered;
  /** What a step gave; lines may refer to it. */
  learn?(gave: StepGave): void;
  /** How many lines, or recorded calls, must be used and were not, so far. */
  unused?(): number;
  /** The attempt is over, and everything is quiet. */
  settle(ended: AttemptEnded): Promise<void>;
}
