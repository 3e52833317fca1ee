/** One call of a third party in a recording, as it is on disk. */
import { isMap } from '../../../kernel/is-map.ts';
import type { Cassette, RecordedResponse } from '../../cassette/cassette.ts';
import type { CallForm } from '../../cassette/cassette-file.ts';
import { responseFault } from '../../cassette/recorded-pieces.ts';
import type { ExchangeParts } from './exchange-parts.ts';

export type PeerCassette = Cassette<RecordedExchange>;

export interface RecordedExchange {
  readonly caller: string;
  /** The n-th of the caller that was passed on, from 1. */
  readonly call: number;
  /** Never with credentials. */
  readonly request: ExchangeParts;
  readonly response: RecordedResponse;
}

export const exchangeForm: CallForm = { kind: 'http', fault: exchangeFault };

function exchangeFault(call: unknown): string | undefined {
  const { caller, request, response } = call as Readonly<Record<string, unknown>>;
  if (typeof caller !== 'string') return '`caller` is missing';
  if (!isMap(request) || typeof request.method !== 'string' || typeof request.path !== 'string')
    return '`request` is incomplete';
  if (!isMap(request.query)) return '`request.query` is not a map';
  return responseFault(response);
}
