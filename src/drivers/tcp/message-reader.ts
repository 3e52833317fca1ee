/** Bytes to messages, by a built-in or a user's codec; the first violation ends it, and is kept. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { type Codec, CodecError, type Decoder } from '../../protocols/codecs/codec.ts';
import { driverLimits } from '../driver-limits.ts';

export function createMessageReader(codec: Codec) {
  let broken: string | undefined;
  let decoder: Decoder | undefined;
  const guarded = (work: (decoder: Decoder) => readonly unknown[]): readonly unknown[] => {
    if (broken !== undefined) return [];
    try {
      decoder ??= codec.createDecoder({ maxFrameBytes: driverLimits.messageBytes });
      return work(decoder).map((message) => plain(message, codec));
    } catch (error) {
      broken = error instanceof Error ? error.message : String(error);
      return error instanceof CodecError ? error.messages.map((message) => plain(message, codec)) : [];
    }
  };
  return {
    /** The messages that these bytes complete, as plain JSON. */
    push: (bytes: Uint8Array): readonly unknown[] => guarded((current) => current.push(bytes)),
    /** No more bytes will come. */
    end: (): void => {
      guarded((current) => {
        current.end();
        return [];
      });
    },
    /** Of a message that is not complete yet. */
    get pendingBytes(): number {
      return broken === undefined ? (decoder?.pendingBytes?.() ?? 0) : 0;
    },
    /** Why nothing is read any more. */
    get broken(): string | undefined {
      return broken;
    },
  };
}

export type MessageReader = ReturnType<typeof createMessageReader>;

/** A user's codec may return anything; evidence is JSON. */
function plain(message: unknown, codec: Codec): unknown {
  const text = JSON.stringify(message);
  if (text === undefined)
    throw new Error(`${codec.name} returned a message that JSON cannot represent: ${typeof message}`);
  return parseExactJson(text);
}
