/** The queries of checks that look at the whole journal; the form of `query` in their records. */
import { checkKind } from '../kinds/check-kinds.ts';
import type { BlameRule } from './blame/blame.ts';

/** `agree`: what a model said, a tool received, and a check saw. */
export interface AgreeQuery {
  /** The two ends of the edge to the model, in either order. */
  readonly said: { readonly from: string; readonly to: string };
  /** Calls of one tool alone, wherever it is received; or calls of an edge, optionally of one tool. */
  readonly received: ReceivedQuery;
  /** A check that must have held. */
  readonly changed?: string;
}

export interface ReceivedQuery {
  readonly tool?: string;
  readonly from?: string;
  readonly to?: string;
  readonly where?: unknown;
}

/** `order`: each of these happened, and after the one before it. */
export interface OrderQuery {
  readonly moments: readonly Moment[];
}

export type Moment =
  /** `phase` is `end` if absent: the answer has arrived. */
  | { readonly exchange: string; readonly phase?: 'begin' | 'end' }
  /** The first matching call; `phase` is `begin` if absent. */
  | CallMoment
  /** No such call begins between the previous moment and the next. */
  | (Omit<CallMoment, 'phase'> & { readonly never: true });

export interface CallMoment {
  readonly from: string;
  readonly to: string;
  readonly where?: unknown;
  readonly phase?: 'begin' | 'end';
}

/** `correlate`: one id, found in each of several places. */
export interface CorrelateQuery {
  /** May hold `${…}`. */
  readonly id: unknown;
  readonly parts: readonly CorrelatePart[];
}

/** `exchange` and `calls` are read from the journal; every other kind is sampled, as `<check>/<n>`, by its observer. */
export interface CorrelatePart {
  readonly kind: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Of rows: the column that must contain it; any if absent. */
  readonly column?: string;
}

/** `blame`: the party that must be blamed for what went wrong in the attempt. */
export interface BlameQuery {
  readonly party: string;
  readonly edge?: string;
  readonly rule?: BlameRule;
}

export const derivedKinds: readonly string[] = ['agree', 'order', 'correlate', 'blame'];

/** Parts that must be sampled while the trial is performed. */
export function sampledParts({ parts }: CorrelateQuery): readonly CorrelatePart[] {
  return parts.filter(({ kind }) => !checkKind(kind)?.isJournalled);
}

/** The name under which the n-th part, from 1, is sampled. */
export function partName(check: string, place: number): string {
  return `${check}/${place}`;
}

/** An order with a `never` in it asserts that something did not happen. */
export function saysNever({ moments }: OrderQuery): boolean {
  return moments.some((moment) => 'never' in moment);
}
