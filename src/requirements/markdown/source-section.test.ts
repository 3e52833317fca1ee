import { expect, test } from 'vitest';
import { anchorOf, sectionText } from './source-section.ts';

const document = `# Title

## The \`rules\`: all

First.

### Inner

Second.

## Table

| ID | Text |
|---|---|
| A-1 | one |
| A-2 | two |
`;

test('a section is found by its heading or its anchor, with what is below it', () => {
  expect(anchorOf('P0: Architecture parity baseline')).toBe('p0-architecture-parity-baseline');
  const text = '## The `rules`: all First. ### Inner Second.';
  expect(sectionText(document, 'the-rules-all', 'X')).toBe(text);
  expect(sectionText(document, 'The rules: all', 'X')).toBe(text);
  expect(sectionText(document, 'inner', 'X')).toBe('### Inner Second.');
  expect(sectionText(document, 'nowhere', 'X')).toBeUndefined();
});

test('where rows have the id, only these count', () => {
  expect(sectionText(document, 'table', 'A-2')).toBe('A-2 | two');
  expect(sectionText(document, undefined, 'A-1')).toBe('A-1 | one');
  expect(sectionText(document, 'table', 'A-9')).toContain('## Table');
});
