import { expect, test } from 'vitest';
import { cpuMs } from '../../../test/harness/cpu-time.ts';
import { parseMarkdown } from './parse-markdown.ts';

/** `[x] text` for each box, as it is found. */
const boxes = (...lines: readonly string[]): readonly string[] =>
  parseMarkdown(lines.join('\n')).checkboxes.map(({ checked, text }) => `[${checked ? 'x' : ' '}] ${text}`);

const headings = (...lines: readonly string[]): readonly string[] =>
  parseMarkdown(lines.join('\n')).headings.map(({ level, text, line }) => `${line}: h${level} ${text}`);

test.each([
  ['in a quote', '> - [ ] two'],
  ['in a quote without a space', '>- [ ] two'],
  ['in a quote of a quote', '> > 1. [ ] two'],
  ['in a list of a list', '- - [ ] two'],
  ['in a list of a quote of a list', '1) > * [ ] two'],
  ['below an item that it is not indented enough for', '1. one\n  - [ ] two'],
  ['deep below', '- a\n  - b\n    - c\n      - d\n        - [ ] two'],
  ['after tabs', '-\t[ ] two'],
  ['below an item, after tabs', '- a\n\t- [ ] two'],
  ['on the line after its mark', '-\n  [ ] two'],
  ['with its text on the next line', '- [ ]\n  two'],
  ['right after a paragraph', 'words\n- [ ] two'],
  ['right after a quote', '> words\n- [ ] two'],
  ['in an element of HTML', '<details>\n<summary>More</summary>\n2. [ ] two\n</details>'],
  ['in HTML below a paragraph', 'words\n<div>\n2. [ ] two\n</div>'],
  ['after a comment', '<!-- words --> \n- [ ] two'],
  ['after a comment of lines', '<!--\n- [x] one\n-->\n- [ ] two'],
  ['after code in an item', '- a\n\n      - [x] one\n- [ ] two'],
  ['after a fence in a quote that ended without it', '> ```\n> - [x] one\n\n- [ ] two'],
  ['after a fence with a mark in its line', '``` not`code\n- [ ] two'],
  ['after a rule', '- - -\n* [ ] two'],
])('a box %s', (_, text) => {
  expect(boxes(text)).toEqual(['[ ] two']);
});

test('a box without a text', () => {
  expect(boxes('- [ ]', '- [x] ', '- [ ] a')).toEqual(['[ ] ', '[x] ', '[ ] a']);
});

test.each([
  ['in a paragraph', 'words\n    - [ ] two'],
  ['in a quoted paragraph', '> [ ] two'],
  ['in the quote of an item', '- > [ ] two'],
  ['in the second paragraph of an item', '- one\n\n  [ ] two'],
  ['after two empty lines', '-\n\n  [ ] two'],
  ['in a heading of an item', '- # [ ] two'],
  ['in a heading that is underlined', '- [ ] two\n  ==='],
  ['in indented code', 'words\n\n    - [ ] two'],
  ['in indented code of an item', '-     [ ] two'],
  ['in a fence of an item', '- one\n\n  ~~~\n  - [ ] two\n  ~~~'],
  ['in a fence of a quote', '> ```\n> - [ ] two\n> ```'],
  ['in a fence that a shorter one does not close', '````\n```\n- [ ] two\n````'],
  ['in a comment', '<!--\n- [ ] two\n\n- [ ] three\n-->'],
  ['in <pre>', '<pre>\n\n- [ ] two\n</pre>'],
  ['without a space', '- [ ]two\n-[ ] two\n- \\[ ] two'],
  ['in a list that cannot begin here', 'words\n2. [ ] two'],
])('no box: %s', (_, text) => {
  expect(boxes(text)).toEqual([]);
});

test('every kind of line end', () => {
  for (const end of ['\r', '\n', '\r\n']) {
    const text = ['---', 'a: 1', '---', '# Plan', '- [x] one', '', '> - [ ] two', ''].join(end);
    expect(parseMarkdown(text)).toEqual({
      frontMatter: { a: 1 },
      headings: [{ level: 1, text: 'Plan', line: 4 }],
      checkboxes: [
        { text: 'one', checked: true, under: 'Plan', line: 5 },
        { text: 'two', checked: false, under: 'Plan', line: 7 },
      ],
    });
  }
});

test('headings', () => {
  expect(headings('# a # ', '## b#', '###', '#c', '####### d')).toEqual(['1: h1 a', '2: h2 b#', '3: h3 ']);
  expect(headings('two', 'lines', '---', 'one', '=', '- a', '---')).toEqual(['1: h2 two lines', '4: h1 one']);
  expect(headings('> # a', '- ## b', '> c', '---', '> d', '> ---')).toEqual([
    '1: h1 a',
    '2: h2 b',
    '5: h2 d',
  ]);
  expect(headings('<b>a</b> b', '---', 'c', '<i>', '===')).toEqual(['1: h2 <b>a</b> b', '3: h1 c <i>']);
  expect(headings('| a | b |', '|---|---|', '| c | d |', '---', '', 'a | b', '- | -', '---')).toEqual([]);
});

test('a long file is read in time, and one that is nested without end is refused', () => {
  const page = '# a\n\nSome *words*.\n\n- [ ] b\n  - [x] c\n> - d\n\n'.repeat(20_000);
  expect(parseMarkdown(page).checkboxes).toHaveLength(40_000);
  for (const mark of ['>', '- ', '1. ', '> - '])
    expect(() => parseMarkdown(`${mark.repeat(100_000)}a${'\n'.repeat(100_000)}`)).toThrow(
      'nested deeper than 100 levels',
    );
  for (const line of [
    '# a'.padEnd(1_000_000),
    `#${' #'.repeat(500_000)}x`,
    '- '.repeat(40).padEnd(1_000_000, '-'),
  ])
    expect(cpuMs(() => parseMarkdown(`${line}x`))).toBeLessThan(4_000);
});
