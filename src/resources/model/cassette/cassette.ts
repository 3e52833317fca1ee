/** A recording of the calls of a model in one trial, as it is on disk. */
import { isMap } from '../../../kernel/is-map.ts';
import { type DialectName, dialectNames, type Usage } from '../../../protocols/turn/turn.ts';
import type { Cassette, RecordedResponse } from '../../cassette/cassette.ts';
import type { CallForm } from '../../cassette/cassette-file.ts';
import { responseFault } from '../../cassette/recorded-pieces.ts';
import type { RequestParts } from './request-parts.ts';

export type ModelCassette = Cassette<RecordedCall>;

export interface RecordedCall {
  readonly caller: string;
  /** The n-th of the caller, from 1. */
  readonly call: number;
  readonly dialect: DialectName;
  readonly streamed: boolean;
  /** Never with a key. */
  readonly request: RequestParts & { readonly path: string };
  readonly response: RecordedResponse;
  readonly usage: Usage | null;
  /** Of the answer. */
  readonly model?: string;
}

export const modelCallForm: CallForm = { kind: undefined, fault: callFault };

function callFault(call: unknown): string | undefined {
  const { caller, dialect, request, response } = call as Readonly<Record<string, unknown>>;
  if (typeof caller !== 'string') return '`caller` is missing';
  if (!dialectNames.some((name) => name === dialect)) return `${JSON.stringify(dialect)} is not a dialect`;
  if (!isMap(request) || !isMap(request.prompt) || !isMap(request.tools) || !Array.isArray(request.messages))
    return '`request` is incomplete';
  if (typeof request.prompt.text !== 'string' || !isMap(request.parameters)) return '`request` is incomplete';
  return responseFault(response);
}
