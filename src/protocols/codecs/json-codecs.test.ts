import { describe, expect, test } from 'vitest';
import type { Codec, CodecError } from './codec.ts';
import { contentLengthJson } from './content-length-json.ts';
import { newlineJson } from './newline-json.ts';

function outcome(codec: Codec, text: string | Uint8Array): unknown {
  try {
    return codec.createDecoder().push(typeof text === 'string' ? Buffer.from(text) : text);
  } catch (error) {
    return (error as CodecError).rule;
  }
}

describe('newline-json', () => {
  test('one value per line', () => {
    expect(Buffer.from(newlineJson.encode({ a: 'x\ny' })).toString()).toBe('{"a":"x\\ny"}\n');
    expect(outcome(newlineJson, '{"a":1}\r\n\n \t\r\n2\n"unfinished')).toEqual([{ a: 1 }, 2]);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['no JSON', '{a:1}\n', 'not-json'],
    ['two values in a line', '1 2\n', 'not-json'],
    ['a byte order mark', '\ufeff1\n', 'not-json'],
    ['no UTF-8', Buffer.from('22ff220a', 'hex'), 'not-utf8'],
    ['headers of another framing', 'Content-Length: 2\r\n', 'not-json'],
  ])('%s', (_name, bytes, rule) => expect(outcome(newlineJson, bytes)).toBe(rule));

  test('a line without end is refused when it grows too large', () => {
    const decoder = newlineJson.createDecoder({ maxFrameBytes: 1_000 });
    expect(() => {
      for (;;) decoder.push(Buffer.from('x'.repeat(100)));
    }).toThrow('frame-too-large');
  });
});

describe('what an error shows', () => {
  test.each<[Codec, string | Uint8Array, RegExp]>([
    [newlineJson, 'nonsense\n', /^newline-json: not-json: .*: "nonsense"$/],
    [newlineJson, Buffer.from('ff0a', 'hex'), /^newline-json: not-utf8: the payload is not UTF-8: ff…$/],
    [
      contentLengthJson,
      'Content-Length: two\r\n',
      /^content-length-json: length-not-decimal: Content-Length: "two"$/,
    ],
  ])('$name', (codec, bytes, message) => {
    expect(() => codec.createDecoder().push(Buffer.from(bytes as string))).toThrow(message);
  });
});

describe('content-length-json', () => {
  test('the length counts bytes', () => {
    expect(Buffer.from(contentLengthJson.encode('à')).toString()).toBe('Content-Length: 4\r\n\r\n"à"');
    expect(outcome(contentLengthJson, 'Content-Length: 4\r\n\r\n"à"content-length:1\r\n\r\n7')).toEqual([
      'à',
      7,
    ]);
  });

  test('other headers may accompany it, in any order', () => {
    const headers =
      'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nX-Trace: a:b\r\nContent-Length: 2\r\n';
    expect(outcome(contentLengthJson, `${headers}\r\n{}`)).toEqual([{}]);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['no length', 'Content-Type: text/plain\r\n\r\n{}', 'length-missing'],
    ['an empty header block', '\r\n{}', 'length-missing'],
    ['a negative length', 'Content-Length: -2\r\n\r\n{}', 'length-not-decimal'],
    ['a length in hexadecimal', 'Content-Length: 0x2\r\n\r\n{}', 'length-not-decimal'],
    ['no digits', 'Content-Length:\r\n\r\n{}', 'length-not-decimal'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}', 'length-twice'],
    ['a length beyond what is accepted', 'Content-Length: 999999999999\r\n\r\n', 'frame-too-large'],
    ['a length of nothing', 'Content-Length: 0\r\n\r\n', 'not-json'],
    ['a length that is too short', 'Content-Length: 1\r\n\r\n{}', 'not-json'],
    ['lines that end without CR', 'Content-Length: 2\n\n{}', 'header-malformed'],
    ['newline-json, reported at its first byte', '{', 'header-malformed'],
    ['a header without a colon', 'Content-Length\r\n', 'header-malformed'],
    ['a header that is not ASCII', 'Content-Length: ²', 'header-malformed'],
    ['an answer of HTTP', 'HTTP/1.1 200 OK\r\n', 'header-malformed'],
    [
      'another charset',
      'Content-Type: a/b; charset=latin1\r\nContent-Length: 2\r\n\r\n{}',
      'charset-not-utf8',
    ],
    ['headers without end', `X-A: ${'a'.repeat(8_192 - 5)}`, 'header-too-large'],
    ['many headers', 'X-A: b\r\n'.repeat(1_100), 'header-too-large'],
    ['no UTF-8', Buffer.from('Content-Length: 3\r\n\r\n"\xff"', 'latin1'), 'not-utf8'],
  ])('%s', (_name, bytes, rule) => expect(outcome(contentLengthJson, bytes)).toBe(rule));

  test('an end behind the headers is an end inside a frame', () => {
    const decoder = contentLengthJson.createDecoder();
    decoder.push(Buffer.from('Content-Length: 2\r\n\r\n'));
    expect(() => decoder.end()).toThrow('frame-unfinished');
  });
});

describe.each([newlineJson, contentLengthJson])('$name', (codec) => {
  test('brackets in strings do not count as levels', () => {
    const message = ['\\"[[['.repeat(500), '{'.repeat(500)];
    expect(outcome(codec, codec.encode(message))).toEqual([message]);
  });

  test('lists and maps may be nested so deep and no deeper', () => {
    const nest = (levels: number): unknown =>
      levels === 0 ? 1 : levels % 2 ? [nest(levels - 1)] : { a: nest(levels - 1) };
    expect(outcome(codec, codec.encode(nest(256)))).toEqual([nest(256)]);
    expect(outcome(codec, codec.encode(nest(257)))).toBe('too-deep');
  });

  test('many siblings do not count as levels', () => {
    expect(outcome(codec, codec.encode(Array.from({ length: 600 }, () => [{}])))).toHaveLength(1);
  });

  test('a big integer keeps its digits', () =>
    expect(outcome(codec, codec.encode(9007199254740993n))).toEqual([9007199254740993n]));
});
