import { expect, test } from 'vitest';
import { type Codec, CodecError } from './codec.ts';
import { newlineJson } from './newline-json.ts';
import { userCodec } from './user-codec.ts';

/** Lines of text, written without our modules. */
const lines = {
  encode: (message: unknown) => Buffer.from(`${message}\n`),
  createCutter:
    () =>
    (queue: {
      length: number;
      indexOf(byte: number, from: number): number;
      take(count: number): Uint8Array;
    }) => {
      const end = queue.indexOf(10, 0);
      if (end === -1) return undefined;
      const text = Buffer.from(queue.take(end + 1))
        .toString()
        .slice(0, -1);
      if (text === 'bad') throw new Error('this line is bad');
      return { message: text };
    },
};

function made(exported: unknown): Codec {
  const result = userCodec(exported, './lines.ts');
  if ('fault' in result) throw new Error(result.fault);
  return result.codec;
}

function thrownBy(work: () => unknown): CodecError {
  try {
    work();
  } catch (error) {
    return error as CodecError;
  }
  throw new Error('nothing was thrown');
}

test('a cutter is enough', () => {
  const codec = made(lines);
  const decoder = codec.createDecoder();
  expect(decoder.push(codec.encode('one'))).toEqual(['one']);
  expect(decoder.push(Buffer.from('tw'))).toEqual([]);
  expect(decoder.push(Buffer.from('o\nthree\nfo'))).toEqual(['two', 'three']);
  expect(thrownBy(() => decoder.end())).toMatchObject({ rule: 'frame-unfinished', codec: './lines.ts' });
});

test('whatever it throws is a broken rule, and the messages before it are kept', () => {
  const error = thrownBy(() => made(lines).createDecoder().push(Buffer.from('one\nbad\ntwo\n')));
  expect(error).toBeInstanceOf(CodecError);
  expect(error).toMatchObject({
    rule: 'own-rule',
    messages: ['one'],
    message: expect.stringMatching(/is bad/),
  });
});

test('a whole codec passes through', () => {
  const codec = made({ ...newlineJson, name: 'ignored' });
  expect(codec.name).toBe('./lines.ts');
  expect(codec.createDecoder().push(codec.encode({ a: 1 }))).toEqual([{ a: 1 }]);
  expect(thrownBy(() => codec.createDecoder().push(Buffer.from('[1]\n{\n')))).toMatchObject({
    rule: 'not-json',
    messages: [[1]],
  });
});

test('a whole codec that throws an error of its own keeps what it says it had read', () => {
  const codec = made({
    encode: () => Buffer.from('x'),
    createDecoder: () => ({
      push: () => {
        throw Object.assign(new Error('lost'), { messages: ['kept'] });
      },
      end: () => {},
    }),
  });
  const error = thrownBy(() => codec.createDecoder().push(Buffer.from('x')));
  expect(error).toMatchObject({ rule: 'own-rule', messages: ['kept'] });
});

test.each<[string, unknown, string]>([
  ['no bytes', { ...lines, encode: () => 'text' }, 'not-encodable'],
  [
    'an error',
    {
      ...lines,
      encode: () => {
        throw new TypeError('no');
      },
    },
    'own-rule',
  ],
])('an `encode` that gives %s', (_, exported, rule) => {
  expect(thrownBy(() => made(exported).encode(1))).toMatchObject({ rule });
});

test.each<[string, () => unknown]>([
  ['gives a message and takes nothing', () => ({ message: 1 })],
  ['gives something else', () => 'text'],
])('a cutter that %s does not run forever', (_, cut) => {
  const decoder = made({ ...lines, createCutter: () => cut }).createDecoder();
  expect(thrownBy(() => decoder.push(Buffer.from('x')))).toMatchObject({ rule: 'own-rule' });
});

test('a frame without end is refused', () => {
  const decoder = made(lines).createDecoder({ maxFrameBytes: 100 });
  expect(thrownBy(() => decoder.push(Buffer.alloc(101, 'x')))).toMatchObject({ rule: 'frame-too-large' });
});

test.each([undefined, null, 'text', 7, {}, { encode: 1 }, { encode: () => 1 }])(
  '%j is not a codec',
  (exported) => {
    expect(userCodec(exported, 'x')).toEqual({ fault: expect.stringMatching(/^it (is|has)/) });
  },
);
