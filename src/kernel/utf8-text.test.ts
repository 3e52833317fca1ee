import { expect, test } from 'vitest';
import { utf8Text } from './utf8-text.ts';

test.each<[what: string, bytes: readonly (number | string)[], text: string]>([
  ['UTF-8', ['Müller €'], 'Müller €'],
  ['with a byte order mark', ['\uFEFFa'], '\uFEFFa'],
  ['Latin-1', ['M', 0xfc, 'ller'], 'M‹no-utf8›ller'],
  ['several bytes', [0xff, 0xfe, 'a', 0, 0xc3], '‹no-utf8›a\0‹no-utf8›'],
  [
    'a literal replacement character between invalid bytes',
    [0xfc, '\uFFFD', 0xfc, 'x\uFFFD'],
    '‹no-utf8›\uFFFD‹no-utf8›x\uFFFD',
  ],
  ['nothing', [], ''],
])('%s', (_, bytes, text) => {
  expect(utf8Text(bytesOf(bytes))).toBe(text);
});

test('an incomplete character at the end is left out where more bytes follow', () => {
  expect(utf8Text(bytesOf(['a', 0xe2, 0x82]), true)).toBe('a');
  expect(utf8Text(bytesOf(['a', 0xe2, 0x82]))).toBe('a‹no-utf8›');
});

function bytesOf(parts: readonly (number | string)[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))),
  );
}
