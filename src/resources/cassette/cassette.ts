/** A recording of the calls of one trial, as it is on disk, for any kind of peer. */

export const cassetteVersion = 1;

export interface Cassette<Call> {
  readonly cassette: typeof cassetteVersion;
  /** Absent for a model. */
  readonly kind?: 'http';
  readonly resource: string;
  readonly trial: string;
  /** ISO date. */
  readonly recordedAt: string;
  /** The Shakedown that recorded it. */
  readonly tool?: string;
  /** The address of the real one, without credentials. */
  readonly upstream?: string;
  readonly calls: readonly Call[];
}

export interface RecordedResponse {
  /** 0 where the consumer left before there was a head. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly RecordedPiece[];
  /** `hang`: the consumer left before the end, or the attempt was over. */
  readonly end: 'whole' | 'fin' | 'hang';
}

export interface RecordedPiece {
  /** Milliseconds after the piece before, or after the request. */
  readonly afterMs: number;
  readonly text?: string;
  /** Instead, where the piece is not valid text. */
  readonly base64?: string;
}
