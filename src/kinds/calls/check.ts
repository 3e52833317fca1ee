/** Calls that crossed an edge, as its tap saw them. */

import type { CheckKind } from '../kind/check-kind.ts';
import { edgePattern } from '../kind/edge-pattern.ts';
import { alike, type Fields, measured, requested, system } from '../kind/evidence.ts';
import type { Observation, Pattern, Row } from '../kind/flow-method.ts';

const message = {
  ...system,
  fields: {
    ...alike('headers json text events bytes status trailers truncated unfinished', system),
    rawBody: measured,
  },
};

/** Of a call on an edge, and of a program that was started. */
export const callFields: Fields = {
  crossing: { ...measured, isCounter: true },
  ...alike('from to protocol', { ...requested, by: 'caller' }),
  method: { ...system, by: 'caller', usual: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  path: { ...system, by: 'caller' },
  ...alike('statement params', { ...system, by: 'caller', isRare: true, isOptional: true }),
  result: { ...system, by: 'provider', isRare: true, isOptional: true },
  error: { ...system, by: 'provider', isRare: true, isOptional: true },
  status: { ...system, by: 'provider' },
  request: { ...message, by: 'caller', closedAs: 'the request of a call' },
  response: { ...message, by: 'provider', closedAs: 'the response of a call' },
  ...alike('startedAt endedAt', measured),
  turn: { ...system, by: 'provider', isRare: true },
  faults: { ...measured, isRare: true },
  incomplete: {
    ...measured,
    isRare: true,
    enum: ['cut', 'too-large', 'not-http', 'unanswered', 'cancelled', 'in-flight'],
  },
  argv: system,
};

export interface CallsFlow {
  /** What crossed an edge: `calls('switchboard -> health')`. */
  readonly calls: <Call = Row>(edge: string, where?: Pattern) => Observation<readonly Call[]>;
}

export const callsCheck: CheckKind = {
  gives: 'list',
  needsProof: true,
  isCopied: true,
  query: (named, own) => {
    const [, from, to] = edgePattern.exec(String(named)) ?? [];
    return { from, to, ...own };
  },
  source: ({ from, to }) => `calls ${String(from)} -> ${String(to)}`,
  parties: ({ from, to }) => [from, to],
  edge: ({ from, to }) => ({ from: String(from), to: String(to) }),
  change: 'call',
  unwanted: { from: 'unknown', to: 'elsewhere', method: 'POST', path: '/' },
  fields: () => callFields,
  takes: 'where',
  flow: (edge: string, where: unknown) => ({ calls: edge, where }),
  isJournalled: true,
};
