import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Codec, CodecError, type Decoder } from './codec.ts';
import { codecNames, findCodec } from './codec-registry.ts';

/** Messages that survive a round trip: what a codec cannot distinguish is left out. */
const messages: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'hex6-sexp': sexpMessage(),
  'newline-json': jsonMessage(),
  'content-length-json': jsonMessage(),
};

/** Bytes that look like the codec's own, so that junk gets past the first check. */
const nearly: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'hex6-sexp': fc.stringMatching(/^0000[0-1][0-9A-F][(:A-Z "\\)|à0-9]{0,40}$/),
  'newline-json': fc.stringMatching(/^[[{"\\\]},:0-9a\n ]{0,40}$/),
  'content-length-json': fc.stringMatching(/^Content-Length: ?[0-9-]{0,2}\r?\n\r?\n?[[\]{}"0-9]{0,20}$/),
};

const deepFrames: Readonly<Record<string, Uint8Array>> = {
  'hex6-sexp': Buffer.from(`002710${'('.repeat(10_000)}`),
  'newline-json': Buffer.from(`${'['.repeat(10_000)}\n`),
  'content-length-json': Buffer.from(`Content-Length: 10000\r\n\r\n${'['.repeat(10_000)}`),
};

describe.each([...codecNames])('%s', (name) => {
  const codec = findCodec(name) as Codec;
  const message = messages[name] as fc.Arbitrary<unknown>;

  test('what was encoded is decoded, several messages in a row', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 4 }), (said) => {
        expect(hear(codec.createDecoder(), [concat(said.map(codec.encode))])).toEqual(said);
      }),
    );
  });

  test('any cutting of the bytes gives the same messages, each as soon as its last byte is there', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 3 }), (said) => {
        const frames = said.map(codec.encode);
        const bytes = concat(frames);
        for (let cut = 0; cut <= bytes.length; cut += 1) {
          expect(hear(codec.createDecoder(), [bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(said);
        }
        const decoder = codec.createDecoder();
        const counts = [...bytes].map((byte) => decoder.push(Uint8Array.of(byte)).length);
        expect(counts.flatMap((count, index) => (count === 1 ? [index + 1] : []))).toEqual(endsOf(frames));
      }),
      { numRuns: 40 },
    );
  });

  test('junk is a CodecError or nothing, the same however it is cut, and never something else', () => {
    const junk = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      (nearly[name] as fc.Arbitrary<string>).map((text) => Buffer.from(text)),
      fc.tuple(message.map(codec.encode), fc.uint8Array({ maxLength: 20 })).map(concat),
      fc
        .tuple(message.map(codec.encode), fc.nat(), fc.nat(255))
        .map(([frame, at, byte]) => flip(frame, at, byte)),
    );
    fc.assert(
      fc.property(junk, (bytes) => {
        const whole = outcome(codec.createDecoder(), [bytes]);
        expect(
          outcome(
            codec.createDecoder(),
            [...bytes].map((byte) => Uint8Array.of(byte)),
          ),
        ).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  test('the messages before a broken rule are not lost, and a broken decoder stays broken', () => {
    const decoder = codec.createDecoder();
    const error = thrownBy(() => decoder.push(concat([codec.encode(['first']), Uint8Array.of(0xff, 0x0a)])));
    expect(error).toBeInstanceOf(CodecError);
    expect(error).toMatchObject({ codec: name, messages: [['first']] });
    expect(thrownBy(() => decoder.push(codec.encode(['second'])))).toMatchObject({
      rule: error.rule,
      messages: [],
    });
    expect(thrownBy(() => decoder.end())).toMatchObject({ rule: error.rule });
  });

  test('an end inside a frame is an error, an end between frames is not', () => {
    const frame = codec.encode(['a message']);
    for (let length = 0; length <= frame.length; length += 1) {
      const decoder = codec.createDecoder();
      decoder.push(frame.subarray(0, length));
      if (length === 0 || length === frame.length) expect(() => decoder.end()).not.toThrow();
      else expect(thrownBy(() => decoder.end())).toMatchObject({ rule: 'frame-unfinished' });
    }
  });

  test('a frame larger than accepted is refused', () => {
    const frame = codec.encode(['x'.repeat(100)]);
    expect(thrownBy(() => codec.createDecoder({ maxFrameBytes: 50 }).push(frame)).rule).toBe(
      'frame-too-large',
    );
    expect(codec.createDecoder({ maxFrameBytes: 104 }).push(frame)).toEqual([['x'.repeat(100)]]);
  });

  test('a frame nested too deep is refused by the decoder', () => {
    expect(thrownBy(() => codec.createDecoder().push(deepFrames[name] as Uint8Array)).rule).toBe('too-deep');
  });

  test.each([[undefined], [() => 1], [Symbol('s')]])('%o cannot be encoded', (value) => {
    expect(thrownBy(() => codec.encode(value))).toMatchObject({ codec: name, rule: 'not-encodable' });
  });

  test('a message that contains itself cannot be encoded', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(thrownBy(() => codec.encode(loop)).rule).toMatch(/^(not-encodable|too-deep)$/);
  });

  test('a megabyte that comes byte by byte is decoded in time', () => {
    const said = ['à'.repeat(500_000)];
    const decoder = codec.createDecoder();
    const heard: unknown[] = [];
    for (const byte of codec.encode(said)) heard.push(...decoder.push(Uint8Array.of(byte)));
    expect(heard).toEqual([said]);
  }, 10_000);
});

test('an unknown name finds nothing', () => expect(findCodec('hex6')).toBeUndefined());

function hear(decoder: Decoder, chunks: readonly Uint8Array[]): unknown[] {
  const heard = chunks.flatMap((chunk) => decoder.push(chunk));
  decoder.end();
  return heard;
}

/** Everything that was decoded, and the violation that ended it. */
function outcome(decoder: Decoder, chunks: readonly Uint8Array[]): { heard: unknown[]; rule?: string } {
  const heard: unknown[] = [];
  try {
    for (const chunk of chunks) heard.push(...decoder.push(chunk));
    decoder.end();
    return { heard };
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return { heard: [...heard, ...error.messages], rule: error.rule };
  }
}

function thrownBy(work: () => unknown): CodecError {
  try {
    work();
  } catch (error) {
    return error as CodecError;
  }
  throw new Error('nothing was thrown');
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

function flip(frame: Uint8Array, at: number, byte: number): Uint8Array {
  const changed = Uint8Array.from(frame);
  changed[at % changed.length] = byte;
  return changed;
}

function endsOf(frames: readonly Uint8Array[]): number[] {
  let end = 0;
  return frames.map((frame) => {
    end += frame.length;
    return end;
  });
}

function jsonMessage(): fc.Arbitrary<unknown> {
  return fc
    .jsonValue({ maxDepth: 3, stringUnit: 'binary' })
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
}

function sexpMessage(): fc.Arbitrary<unknown> {
  const keyword = fc.stringMatching(/^[A-Z][A-Z0-9-]{0,8}$/);
  const scalar = fc.oneof(
    fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.startsWith(':')),
    keyword.map((name) => `:${name}`),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(true, null, '👍', '"\\"', 'a\nb'),
  );
  return fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('node'), { maxLength: 4 }).filter((list) => !startsWithKeyword(list)),
      fc.dictionary(keyword, tie('node'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
    ),
  })).node;
}

function startsWithKeyword([first]: readonly unknown[]): boolean {
  return typeof first === 'string' && first.startsWith(':');
}
