import { describe, expect, test } from 'vitest';
import { ExactNumber } from '../../kernel/exact-json.ts';
import type { CodecError } from './codec.ts';
import { hex6Sexp } from './hex6-sexp.ts';

const frame = (payload: string): Uint8Array =>
  Buffer.from([...payload].length.toString(16).padStart(6, '0') + payload);
const decode = (bytes: Uint8Array): unknown[] => hex6Sexp.createDecoder().push(bytes);
const encode = (message: unknown): string => Buffer.from(hex6Sexp.encode(message)).toString();

function ruleBroken(work: () => unknown): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return (error as CodecError).rule;
  }
}

test('a handshake', () => {
  const message = { TYPE: ':EVENT', PAYLOAD: { ACTION: ':HANDSHAKE' } };
  expect(decode(frame('(:TYPE :EVENT :PAYLOAD (:ACTION :HANDSHAKE))'))).toEqual([message]);
  expect(encode(message)).toBe('00002C(:TYPE :EVENT :PAYLOAD (:ACTION :HANDSHAKE))');
});

test('keywords are printed as they are written and read in upper case', () => {
  expect(encode({ TYPE: ':health-check' })).toBe('000015(:TYPE :health-check)');
  expect(decode(frame('(:type :health-check)'))).toEqual([{ TYPE: ':HEALTH-CHECK' }]);
});

test('the length counts characters, not bytes or UTF-16 units', () => {
  expect(encode(['à👍'])).toBe('000006("à👍")');
  expect(decode(Buffer.from('000006("à👍")000003nil'))).toEqual([['à👍'], null]);
});

describe('reading', () => {
  test.each<[string, unknown]>([
    ['42', 42],
    ['-7', -7],
    ['+7', 7],
    ['5.', 5],
    ['.5', 0.5],
    ['1.5d0', 1.5],
    ['1e3', 1000],
    ['1/4', 0.25],
    ['1/0', '1/0'],
    ['1e999', new ExactNumber('1E999')],
    ['12345678901234567890', 12345678901234567890n],
    ['1+', '1+'],
    ['t', true],
    ['NIL', null],
    ['|t|', 't'],
    ['|T|', 'T'],
    ['|12|', '12'],
    ['()', []],
    ['"a\\"b\\\\c\\n"', 'a"b\\cn'],
    ['"two\nlines"', 'two\nlines'],
    [':|Mixed Case|', ':Mixed Case'],
    ['foo\\bar', 'FOObAR'],
    ['straße', 'STRAßE'],
    ['cl:car', 'CL:CAR'],
    [' ( 1 "a"\n:b )\t', [1, 'a', ':B']],
    ['(:a 1 :b (:c ()))', { A: 1, B: { C: [] } }],
    ['(:a 1 2 3)', [':A', 1, 2, 3]],
    ['(:a 1 :b)', [':A', 1, ':B']],
    ['("a" 1)', ['a', 1]],
    ['(:a 1 :A 2)', [':A', 1, ':A', 2]],
    [
      '((:a . 1) (:b . 2))',
      [
        [':A', '.', 1],
        [':B', '.', 2],
      ],
    ],
  ])('%s', (text, expected) => expect(decode(frame(text))).toEqual([expected]));

  test.each([
    '',
    ' ',
    '(',
    ')',
    '(1',
    '1)',
    '(1))',
    '1 2',
    '"open',
    '|open',
    'x\\',
    "'a",
    '#<PACKAGE "A">',
    '#(1 2)',
    '; hm',
    '`a',
    ',',
  ])('no expression: %s', (text) => expect(ruleBroken(() => decode(frame(text)))).toBe('not-sexp'));

  test('what is not data is reported with its position', () => {
    expect(() => decode(frame('(:a #<PACKAGE>)'))).toThrow(
      'hex6-sexp: not-sexp: "#<PACKAGE>)" at character 4 is not data',
    );
    expect(() => decode(frame('("a'))).toThrow('"\\"a" at character 1 has no closing "');
  });

  test('a key cannot reach a prototype', () => {
    const [message] = decode(frame('(:|__proto__| (:polluted t))')) as [object];
    expect(Object.keys(message)).toEqual(['__proto__']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('lists may be nested so deep and no deeper', () => {
    expect(ruleBroken(() => decode(frame('('.repeat(256) + ')'.repeat(256))))).toBe('none');
    expect(ruleBroken(() => decode(frame('('.repeat(257) + ')'.repeat(257))))).toBe('too-deep');
  });

  test('a string of megabytes', () => {
    const text = '\\"x'.repeat(1_000_000);
    expect(decode(frame(`"${text}"`))).toEqual(['"x'.repeat(1_000_000)]);
  });
});

describe('printing', () => {
  test.each<[unknown, string]>([
    [true, 't'],
    [false, 'nil'],
    [null, 'nil'],
    [[], '()'],
    [{}, '()'],
    [': not a word', '": not a word"'],
    [':', '":"'],
    ['a"b\\', '"a\\"b\\\\"'],
    [-0, '-0.0'],
    [2 ** 60, '1.152921504606847e+18'],
    [10n ** 20n, '100000000000000000000'],
    [{ A: undefined, B: [1, { C: 'x' }] }, '(:B (1 (:C "x")))'],
  ])('%o', (value, expected) => expect(encode(value).slice(6)).toBe(expected));

  test.each([
    [{ 'odd key': 1 }],
    [{ '': 1 }],
    [Number.NaN],
    [Infinity],
    ['half \ud83d'],
    [new Map()],
    [[new Date(0)]],
  ])('cannot be encoded: %o', (value) => expect(ruleBroken(() => encode(value))).toBe('not-encodable'));

  test('as many characters as six digits can express, and no more', () => {
    expect(encode('a'.repeat(0xffffff - 2)).slice(0, 8)).toBe('FFFFFF"a');
    expect(ruleBroken(() => encode('a'.repeat(0xffffff - 1)))).toBe('frame-too-large');
  });

  test('lists and maps may be nested so deep and no deeper', () => {
    const nest = (levels: number): unknown =>
      levels === 0 ? [] : levels % 2 ? [nest(levels - 1)] : { A: nest(levels - 1) };
    expect(ruleBroken(() => encode(nest(255)))).toBe('none');
    expect(ruleBroken(() => encode(nest(256)))).toBe('too-deep');
  });
});

describe('broken frames', () => {
  test.each<[string, Uint8Array, string]>([
    ['not hexadecimal', Buffer.from('ZZZZZZ'), 'length-not-hex'],
    ['not hexadecimal, reported at the first wrong digit', Buffer.from('00G'), 'length-not-hex'],
    ['a signed length', Buffer.from('-00001'), 'length-not-hex'],
    ['a length that is too short', Buffer.from('000005(:TYPE :X)'), 'not-sexp'],
    ['no UTF-8', Buffer.from('303030303034fffe8081', 'hex'), 'not-utf8'],
    ['an overlong form', Buffer.from('303030303034c0af', 'hex'), 'not-utf8'],
    ['a surrogate', Buffer.from('303030303034eda080', 'hex'), 'not-utf8'],
    ['beyond the last character', Buffer.from('303030303034f4908080', 'hex'), 'not-utf8'],
    ['a character cut by the next', Buffer.from('303030303034c328', 'hex'), 'not-utf8'],
  ])('%s', (_name, bytes, rule) => expect(ruleBroken(() => decode(bytes))).toBe(rule));

  test('the byte that is not UTF-8 is reported', () => {
    expect(() => decode(Buffer.from('303030303034e001', 'hex'))).toThrow(
      'not-utf8: the byte 01 cannot follow e0',
    );
  });

  test('a length that promises more than comes is reported at the end', () => {
    const decoder = hex6Sexp.createDecoder();
    expect(decoder.push(Buffer.from('00FFFF(:TYPE :health-check)'))).toEqual([]);
    expect(ruleBroken(() => decoder.end())).toBe('frame-unfinished');
  });

  test('a promise larger than accepted is refused before it is kept', () => {
    expect(
      ruleBroken(() => hex6Sexp.createDecoder({ maxFrameBytes: 1024 }).push(Buffer.from('FFFFFF'))),
    ).toBe('frame-too-large');
  });

  test('characters of several bytes count with their bytes', () => {
    const decoder = hex6Sexp.createDecoder({ maxFrameBytes: 10 });
    expect(ruleBroken(() => decoder.push(frame(`"${'👍'.repeat(5)}"`)))).toBe('frame-too-large');
  });
});
