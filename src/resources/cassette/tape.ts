/** Keeps what a real peer answers as it passes, with its times, within the limits of one attempt. */
import type { Clock } from '../../kernel/clock.ts';
import type { RecordedResponse } from './cassette.ts';
import type { RawPiece } from './recorded-pieces.ts';

export interface Tape<Call, Outcome> {
  begin(call: Call, bytesSent?: number): TapedAnswer<Outcome>;
  /** Those that came to an end, in the order in which they began. */
  ended(): readonly TapedCall<Call, Outcome>[];
  /** How many went beyond the limits; nothing is kept of them. */
  tooLarge(): number;
}

export interface TapedAnswer<Outcome> {
  head(status: number, headers: Readonly<Record<string, string>>): void;
  piece(bytes: Uint8Array): void;
  end(how: RecordedResponse['end'], outcome: Outcome): void;
}

export interface TapedCall<Call, Outcome> extends Pick<RecordedResponse, 'status' | 'headers' | 'end'> {
  readonly call: Call;
  readonly pieces: readonly RawPiece[];
  readonly outcome: Outcome;
}

export function openTape<Call, Outcome>(
  clock: Clock,
  most: { readonly bytes: number; readonly calls: number },
): Tape<Call, Outcome> {
  const places: { taped?: TapedCall<Call, Outcome> }[] = [];
  let bytes = 0;
  let tooLarge = 0;
  const isFull = (): boolean => bytes > most.bytes || places.length > most.calls;
  return {
    begin: (call, bytesSent = 0) => {
      const place: (typeof places)[number] = {};
      const pieces: RawPiece[] = [];
      let head: Pick<RecordedResponse, 'status' | 'headers'> = { status: 0, headers: {} };
      bytes += bytesSent;
      if (!isFull()) places.push(place);
      let before = clock.monotonic();
      return {
        head: (status, headers) => {
          head = { status, headers };
        },
        piece: (piece) => {
          const now = clock.monotonic();
          bytes += piece.length;
          if (!isFull()) pieces.push({ bytes: piece, afterMs: Math.round(now - before) });
          before = now;
        },
        end: (end, outcome) => {
          if (isFull()) tooLarge += 1;
          else place.taped = { call, ...head, pieces, end, outcome };
        },
      };
    },
    ended: () => places.flatMap(({ taped }) => taped ?? []),
    tooLarge: () => tooLarge,
  };
}
