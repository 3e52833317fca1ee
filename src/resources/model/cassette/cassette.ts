/** A recording of the calls of one trial, as it lies on disk. */
import type { DialectName, Usage } from '../../../protocols/turn/turn.ts';
import type { RequestParts } from './request-parts.ts';

export const cassetteVersion = 1;

export interface Cassette {
  readonly cassette: typeof cassetteVersion;
  readonly resource: string;
  readonly trial: string;
  /** ISO date. */
  readonly recordedAt: string;
  readonly calls: readonly RecordedCall[];
}

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

export interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly RecordedPiece[];
  /** `hang`: the consumer left before the end. */
  readonly end: 'whole' | 'fin' | 'hang';
}

export interface RecordedPiece {
  /** Milliseconds after the piece before, or after the request. */
  readonly afterMs: number;
  readonly text?: string;
  /** Instead, where the piece is no whole text. */
  readonly base64?: string;
}
