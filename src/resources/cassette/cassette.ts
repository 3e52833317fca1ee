/** A recording of the calls of one trial, as it lies on disk, whoever was recorded. */

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
  /** Where the real one is, without anything that lets somebody in. */
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
  /** Instead, where the piece is no whole text. */
  readonly base64?: string;
}
