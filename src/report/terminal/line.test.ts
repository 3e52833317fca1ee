import { expect, test } from 'vitest';
import { fitText, oneLine, widthOf, wrapText } from './fit-text.ts';
import { labelled, line, printLines, section, wholeLine } from './line.ts';

test('lines are cut where the terminal ends, at a hundred columns at most, and a command never', () => {
  const long = 'x'.repeat(150);
  expect(printLines([line(long)], { columns: 60 })).toEqual([`${'x'.repeat(59)}…`]);
  expect(printLines([line(long)], { columns: 500 })).toEqual([`${'x'.repeat(99)}…`]);
  expect(printLines([line(long)], { columns: 3 })).toEqual([`${'x'.repeat(39)}…`]);
  expect(printLines([wholeLine(long)], { columns: 60 })).toEqual([long]);
});

test('colours are those of the painter, and do not count as letters', () => {
  const paint = (style: string, text: string): string => `<${style}>${text}</>`;
  expect(printLines([line('a'.repeat(50), 'red'), line('b')], { columns: 40, paint })).toEqual([
    `<red>${'a'.repeat(39)}…</>`,
    'b',
  ]);
});

test('a section without lines is nothing', () => {
  expect(section('Who died', [])).toEqual([]);
});

test('a text wraps below itself, up to a limit', () => {
  const lines = labelled('    ✗ ', 'many words '.repeat(30), 40);
  expect(lines.map(({ text }) => text)).toEqual([
    '    ✗ many words many words many words',
    '      many words many words many words',
    '      many words many words many words…',
  ]);
});

test('a word that is too long is broken, letters of two columns count twice', () => {
  expect(wrapText('abcdefghij', 4, 9)).toEqual(['abcd', 'efgh', 'ij']);
  expect(wrapText('漢字漢字', 4, 9)).toEqual(['漢字', '漢字']);
  expect(fitText('漢字漢字', 6)).toBe('漢字…');
  expect(widthOf('👍é漢')).toBe(5);
});

test('control characters are shown by their code, colours vanish', () => {
  expect(oneLine('\u001b[31mred\u001b[0m\ttab\r\nline\u0007\u202Eback')).toBe(
    'red tab line\\u0007\\u202eback',
  );
});
