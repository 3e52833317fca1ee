/** Makes a codec from how one message is framed and how the next one is cut from the bytes that have arrived. */
import { type ByteQueue, createByteQueue } from './byte-queue.ts';
import { BrokenRule, type Codec, CodecError, type Decoder } from './codec.ts';
import { codecLimits } from './codec-limits.ts';

export interface FrameFormat {
  readonly name: string;
  /** Throws a BrokenRule when the message cannot be encoded. */
  encode(message: unknown): Uint8Array;
  createCutter(maxFrameBytes: number): Cutter;
}

/** Takes the next message from the queue; undefined when it is not complete yet. Throws a BrokenRule. */
export type Cutter = (queue: ByteQueue) => { readonly message: unknown } | undefined;

export function createFrameCodec({ name, encode, createCutter }: FrameFormat): Codec {
  return {
    name,
    encode: (message) => {
      try {
        return encode(message);
      } catch (error) {
        throw named(error, name, []);
      }
    },
    createDecoder: (options) =>
      createDecoder(name, createCutter(options?.maxFrameBytes ?? codecLimits.frameBytes)),
  };
}

function createDecoder(name: string, cut: Cutter): Decoder {
  const queue = createByteQueue();
  let broken: BrokenRule | undefined;
  return {
    push: (bytes) => {
      const messages: unknown[] = [];
      if (broken) throw named(broken, name, messages);
      queue.append(bytes);
      try {
        for (let next = cut(queue); next; next = cut(queue)) messages.push(next.message);
      } catch (error) {
        if (error instanceof BrokenRule) broken = error;
        throw named(error, name, messages);
      }
      return messages;
    },
    pendingBytes: () => queue.length,
    end: () => {
      if (broken) throw named(broken, name, []);
      if (queue.length === 0) return;
      throw named(
        new BrokenRule('frame-unfinished', `${queue.length} bytes of an unfinished frame`),
        name,
        [],
      );
    },
  };
}

function named(error: unknown, name: string, messages: readonly unknown[]): unknown {
  return error instanceof BrokenRule ? new CodecError(name, error, messages) : error;
}
