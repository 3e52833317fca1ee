/** Makes a codec of what a user's module exports; whatever it throws is a rule that was broken. */
import { BrokenRule, type Codec, CodecError, type Decoder, type DecoderOptions } from './codec.ts';
import { createFrameCodec, type FrameFormat } from './frame-codec.ts';

export type UserCodec = { readonly codec: Codec } | { readonly fault: string };

/** Either a whole codec, or how a message is framed and the next one is cut; the second is shorter to write. */
export function userCodec(exported: unknown, name: string): UserCodec {
  if (typeof exported !== 'object' || exported === null) {
    return { fault: `it is ${exported === null ? 'null' : typeof exported}, not an object` };
  }
  const parts = exported as Partial<Codec & FrameFormat>;
  if (typeof parts.encode !== 'function') return { fault: 'it has no function `encode`' };
  if (typeof parts.createDecoder === 'function') return { codec: guarded(parts as Codec, name) };
  if (typeof parts.createCutter === 'function') return { codec: framed(parts as FrameFormat, name) };
  return { fault: 'it has neither a function `createDecoder` nor a function `createCutter`' };
}

function guarded(codec: Codec, name: string): Codec {
  return {
    name,
    encode: (message) => attempt(name, () => bytesOf(codec.encode(message))),
    createDecoder: (options) => guardedDecoder(codec, name, options),
  };
}

function guardedDecoder(codec: Codec, name: string, options: DecoderOptions | undefined): Decoder {
  const decoder = attempt(name, () => codec.createDecoder(options));
  return {
    push: (bytes) => attempt(name, () => listOf(decoder.push(bytes))),
    end: () => attempt(name, () => decoder.end()),
    pendingBytes: () => attempt(name, () => decoder.pendingBytes?.() ?? 0),
  };
}

function framed(format: FrameFormat, name: string): Codec {
  return createFrameCodec({
    name,
    encode: (message) => asRule(() => bytesOf(format.encode(message))),
    createCutter: (maxFrameBytes) => {
      const cut = asRule(() => format.createCutter(maxFrameBytes));
      return (queue) => {
        const before = queue.length;
        const next: unknown = asRule(() => cut(queue));
        if (next !== undefined) return { message: messageOf(next, before > queue.length) };
        if (before <= maxFrameBytes) return undefined;
        throw new BrokenRule('frame-too-large', `no end of a frame within ${maxFrameBytes} bytes`);
      };
    },
  });
}

/** One that takes nothing would return the same message forever. */
function messageOf(next: unknown, tookBytes: boolean): unknown {
  if (typeof next !== 'object' || next === null || !('message' in next)) {
    throw new BrokenRule('own-rule', 'the cutter returned neither undefined nor { message }');
  }
  if (!tookBytes) throw new BrokenRule('own-rule', 'the cutter returned a message and took no bytes');
  return next.message;
}

/** A user's codec cannot import our errors: `messages` of its own error are those that it had read before. */
function attempt<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CodecError) throw error;
    const { messages } = (error ?? {}) as { messages?: unknown };
    throw new CodecError(name, thrownRule(error), Array.isArray(messages) ? messages : []);
  }
}

function asRule<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw thrownRule(error);
  }
}

function thrownRule(error: unknown): BrokenRule {
  return error instanceof BrokenRule
    ? error
    : new BrokenRule('own-rule', error instanceof Error ? error.message : String(error));
}

function bytesOf(encoded: unknown): Uint8Array {
  if (encoded instanceof Uint8Array) return encoded;
  throw new BrokenRule('not-encodable', `\`encode\` returned ${typeof encoded}, not a Uint8Array`);
}

function listOf(messages: unknown): unknown[] {
  if (Array.isArray(messages)) return messages;
  throw new BrokenRule('own-rule', `\`push\` returned ${typeof messages}, not a list of messages`);
}
