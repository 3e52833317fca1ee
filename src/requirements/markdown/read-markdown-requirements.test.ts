import { expect, test } from 'vitest';
import { formatProblem, problemsIn } from '../../kernel/problem.ts';
import type { Requirement } from '../requirement.ts';
import { readMarkdownRequirements } from './read-markdown-requirements.ts';

const folder = '/project';
const file = `${folder}/spec.md`;

function read(text: string): readonly Requirement[] {
  return readMarkdownRequirements(file, text, folder).placed.map(({ requirement }) => requirement);
}

function shown(text: string): string {
  try {
    read(text);
    return '';
  } catch (error) {
    return problemsIn(error).map(formatProblem).join('\n\n');
  }
}

const two = `# Spec

## Required

### P0: the base

| ID | Test | Required assertions |
|---|---|---|
| **A-1** | Greets | Says \`hello\\|hi\`. |
| [A-2](#x) | Refuses | Junk is rejected. |

### Later (P1)

| ID | Test | Required assertions |
| :-- | --- | --: |
| A-3 | Hears | Hears what is said. |

## How

| ID | How to implement as integration | Reject as unit-test anti-pattern |
|---|---|---|
| A-3 | Speak. | Mock the ear. |
| A-1 | Ask. | - |
| A-2 | Send junk. | Call the parser. |
`;

test('two tables make one list: priorities of the headings, methods and anti-patterns beside the texts', () => {
  const [one, other, third] = read(two);
  expect(one).toEqual({
    id: 'A-1',
    title: 'Greets',
    text: 'Says `hello|hi`.',
    priority: 'p0',
    failPath: false,
    dependsOn: [],
    method: 'Ask.',
    file: 'spec.md',
    line: 9,
  });
  expect(other).toMatchObject({
    id: 'A-2',
    failPath: true,
    failPathFrom: 'refuses',
    antiPattern: 'Call the parser.',
  });
  expect(third).toMatchObject({ id: 'A-3', priority: 'p1', method: 'Speak.' });
});

test('columns of other names, in another order', () => {
  const [one, other] = read(`| priority | Req ID | the gateway … | depends on | Fail path | status | owner |
|-|-|-|-|-|-|-|
| P2 | G-1 | lets in who has a key | G-2, G-3 | yes | | ann |
| - | G-2 | cannot be blocked | - | no | deferred until 2027-01-31: no gate | ben |
| - | G-3 | x | | | done | |
`);
  expect(one).toMatchObject({
    id: 'G-1',
    text: 'lets in who has a key',
    priority: 'p2',
    dependsOn: ['G-2', 'G-3'],
    failPath: true,
  });
  expect(one).not.toHaveProperty('failPathFrom');
  expect(other).toMatchObject({ failPath: false, deferred: { reason: 'no gate', until: '2027-01-31' } });
  expect(other).not.toHaveProperty('priority');
});

test('a column that is not used is reported', () => {
  const { notes } = readMarkdownRequirements(
    file,
    '| id | text | owner |\n|-|-|-|\n| A | b | ann |\n',
    folder,
  );
  expect(notes).toEqual(['spec.md:1: the column “owner” is not used']);
});

test('deferred: in a list, under a heading, in brackets; not by the mere word', () => {
  const text = `| ID | Text |
|---|---|
| A-1 | Deferred jobs run later. |
| A-2 | Sings (deferred: no voice) |
| A-3 | Swims. |
| A-4 | Flies. |
| A-5 | Digs. |
| A-6 | Runs. |

Mark what is deferred explicitly.

Deferred:

- A-3 through A-4: no water here
- **A-5** (no spade)

## Deferred: next year

| ID | Text |
|---|---|
| A-7 | Dives. |
`;
  expect(Object.fromEntries(read(text).map(({ id, deferred }) => [id, deferred?.reason]))).toEqual({
    'A-1': undefined,
    'A-2': 'no voice',
    'A-3': 'no water here',
    'A-4': 'no water here',
    'A-5': 'no spade',
    'A-6': undefined,
    'A-7': 'next year',
  });
  expect(read(text)[1]?.text).toBe('Sings');
});

test('code and comments hold no requirements', () => {
  const text =
    '```md\n| ID | Text |\n|---|---|\n| X-1 | x |\n```\n<!--\n| ID | Text |\n|---|---|\n| X-2 | x |\n-->\n\n| ID | Text |\n|---|---|\n| A-1 | a |\n';
  expect(read(text).map(({ id }) => id)).toEqual(['A-1']);
});

test('unreadable rows are reported as written, all at once', () => {
  expect(
    shown(`| ID | Test | Required assertions |
|---|---|---|
| A-1 | Greets | Says hello. |
|  | Hears | Hears. |
| A-2 | | Sings. |
| A-3 | Swims |
| A-4 | Dives | a|b |
| A-5, A-6 | Runs | Runs. |
| A-7 | ^^ | Flies. |
`),
  ).toMatchInlineSnapshot(`
    "error[requirement.bad-table] /project/spec.md:4:1
      3 | | A-1 | Greets | Says hello. |
      4 | |  | Hears | Hears. |
        | ^^^^^^^^^^^^^^^^^^^^^
      what     this row has no id
      allowed  one cell for each of: ID, Test, Required assertions
      next     give it an id of its own, or remove the row

    error[requirement.bad-table] /project/spec.md:5:1
      4 | |  | Hears | Hears. |
      5 | | A-2 | | Sings. |
        | ^^^^^^^^^^^^^^^^^^
      what     the row of A-2 has no cell under “Test”; cells cannot be merged
      allowed  one cell for each of: ID, Test, Required assertions
      next     repeat what is meant in every row, or write - where there is nothing

    error[requirement.bad-table] /project/spec.md:6:1
      5 | | A-2 | | Sings. |
      6 | | A-3 | Swims |
        | ^^^^^^^^^^^^^^^
      what     the row of A-3 has no cell under “Required assertions”; cells cannot be merged
      allowed  one cell for each of: ID, Test, Required assertions
      next     repeat what is meant in every row, or write - where there is nothing

    error[requirement.bad-table] /project/spec.md:7:1
      6 | | A-3 | Swims |
      7 | | A-4 | Dives | a|b |
        | ^^^^^^^^^^^^^^^^^^^^^
      what     this row has 4 cells, and the table has 3 columns
      allowed  one cell for each of: ID, Test, Required assertions
      next     write a pipe that is meant as itself as \\|, in code too, or correct the row

    error[requirement.bad-table] /project/spec.md:8:3
      7 | | A-4 | Dives | a|b |
      8 | | A-5, A-6 | Runs | Runs. |
        |   ^^^^^^^^
      what     "A-5, A-6" is not one id
      allowed  one cell for each of: ID, Test, Required assertions
      next     write one row for each requirement

    error[requirement.bad-table] /project/spec.md:9:1
      8 | | A-5, A-6 | Runs | Runs. |
      9 | | A-7 | ^^ | Flies. |
        | ^^^^^^^^^^^^^^^^^^^^^
      what     the row of A-7 has no cell under “Test”; cells cannot be merged
      allowed  one cell for each of: ID, Test, Required assertions
      next     repeat what is meant in every row, or write - where there is nothing"
  `);
});

test('a duplicate id, two texts for one, an addition to nothing', () => {
  const text = `| ID | Test | Text |
|---|---|---|
| A-1 | Greets | Says hello. |
| A-1 | Greets | Says hello. |
| A-2 | Hears | Hears. |

| ID | Text | Method |
|---|---|---|
| A-2 | Hears all. | Speak. |
| A-9 | - | Listen. |
`;
  expect(shown(text)).toMatchInlineSnapshot(`
    "error[requirement.duplicate-id] /project/spec.md:4:3
      3 | | A-1 | Greets | Says hello. |
      4 | | A-1 | Greets | Says hello. |
        |   ^^^
      what     A-1 is in this table twice; it is already in line 3
      allowed  each id once in a table
      next     give one of the two an id of its own, or remove it

    error[requirement.contradiction] /project/spec.md:9:3
      8 | |---|---|---|
      9 | | A-2 | Hears all. | Speak. |
        |   ^^^
      what     the text of A-2 is "Hears all." here, and "Hears." in line 5
      allowed  one text for each requirement, in all tables
      next     correct one of the two, or remove the column from one of the tables

    error[requirement.bad-table] /project/spec.md:10:3
       9 | | A-2 | Hears all. | Speak. |
      10 | | A-9 | - | Listen. |
         |   ^^^
      what     no table says what must be true for A-9
      allowed  a row in a table that has a text for it, such as | ID | Test | Required assertions |
      next     add that row, or correct the id"
  `);
});

test('what would be lost silently', () => {
  const text = `| ID | Text |
|---|---|
| A-1 | Greets. |

| A-2 | Hears. |

| ID | Text |
| A-3 | Sings. |

<table><tr><th>ID</th><th rowspan="2">Text</th></tr></table>
`;
  expect(shown(text)).toMatchInlineSnapshot(`
    "error[requirement.bad-table] /project/spec.md:5:1
      4 | 
      5 | | A-2 | Hears. |
        | ^^^^^^^^^^^^^^^^
      what     the row of A-2 is outside of every table
      allowed  the rows of a table directly below each other, without an empty line
      next     remove what is between it and the table

    error[requirement.bad-table] /project/spec.md:7:1
      6 | 
      7 | | ID | Text |
        | ^^^^^^^^^^^^^
      what     this looks like the head of a table, and no line of dashes follows it
      allowed  a head, then a line such as |---|---|, then the rows
      next     add the line of dashes, with as many columns as the head has

    error[requirement.bad-table] /project/spec.md:8:1
      7 | | ID | Text |
      8 | | A-3 | Sings. |
        | ^^^^^^^^^^^^^^^^
      what     the row of A-3 is outside of every table
      allowed  the rows of a table directly below each other, without an empty line
      next     remove what is between it and the table

    error[requirement.bad-table] /project/spec.md:10:1
       9 | 
      10 | <table><tr><th>ID</th><th rowspan="2">Text</th></tr></table>
         | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      what     this table is written in HTML, in which cells may be merged
      allowed  a table of Markdown: | ID | Test | Required assertions |
      next     write it with pipes, one row for each requirement"
  `);
});

test('no table, and invalid priorities', () => {
  expect(shown('# Nothing\n\n| a | b |\n|-|-|\n| 1 | 2 |\n')).toContain('no table has a column of ids');
  expect(shown('| ID | Text | Priority |\n|-|-|-|\n| A | b | high |\n')).toContain(
    '"high" is not a priority',
  );
});

const row = (id: string, text = 'x'): string => `| ${id} | ${text} |\n`;
const head = '| ID | Text |\n|---|---|\n';

test('a comment hides its content, and nothing else', () => {
  const ids = (text: string): readonly string[] => read(text).map(({ id }) => id);
  const shown = `${head}${row('A-1', 'Escapes `<!--` and \\<!-- in texts.')}${row('A-2')}`;
  expect(read(shown)[0]?.text).toBe('Escapes `<!--` and \\<!-- in texts.');
  expect(ids(shown)).toEqual(['A-1', 'A-2']);
  expect(read(`${head}${row('A-1', 'Says <!-- why? --> hello.')}`)[0]?.text).toMatch(/^Says\s+hello\.$/);
  expect(ids(`<!-- one -->\n${head}${row('A-1')}<!-- two --> ${row('A-2')}`)).toEqual(['A-1', 'A-2']);
  expect(ids(`<!--\n${row('X-1')}\`-->\`\n\n--> \n\n${head}${row('A-1')}`)).toEqual(['A-1']);
  expect(ids(`Words <!-- and\n${row('X-1')}--> others\n\n${head}${row('A-1')}`)).toEqual(['A-1']);
  expect(ids(`\`\`\`not a fence\`\`\`\n\n${head}${row('A-1')}`)).toEqual(['A-1']);
});

test('a comment that is never closed is reported', () => {
  const inRow = shown(`${head}${row('A-1', 'Says <!-- hello.')}${row('A-2')}\n<!-- another -->\n`);
  expect(inRow).toContain('/project/spec.md:3:14');
  expect(inRow).toContain('a comment begins here and is never closed');
  expect(shown(`${head}${row('A-1')}\n<!-- to the end\n\n${head}${row('A-2')}`)).toContain('never closed');
  expect(shown(`${head}${row('A-1')}\nUse <!-- so\n\n${head}${row('A-2')}\n-->\n`)).toContain('never closed');
});

test('a table whose head has no column of ids, and whose rows have ids', () => {
  const text = `${head}${row('INT-001')}\n| Requirement | Text |\n|---|---|\n${row('INT-002')}${row('INT-003')}`;
  expect(shown(text)).toContain(
    'begin with what looks like ids (INT-002), and its head has no column of ids',
  );
  expect(shown(`| Requirement | Text |\n|---|---|\n${row('INT-002')}`)).toContain('spec.md:1:3');
  const others = `${head}${row('INT-001')}\n| Phase | Text |\n|---|---|\n${row('phase-1')}${row('UTF-8')}`;
  expect(shown(others)).toBe('');
  const owners = `${head}${row('INT-001')}\n| Requirement | Owner |\n|---|---|\n${row('INT-001', 'ann')}`;
  expect(readMarkdownRequirements(file, owners, folder).notes).toEqual([
    'spec.md:5: the table has no column `ID`, and nothing of it is used',
  ]);
});

test('rows in quotes and lists, without a pipe in front, and with an unknown prefix are reported', () => {
  const lost = (stray: string): string => shown(`${head}${row('A-1')}\n${stray}\n`);
  expect(lost('> | A-2 | Hears. |')).toContain('the row of A-2 is in a quote or a list');
  expect(lost('- | A-2 | Hears. |')).toContain('the row of A-2 is in a quote or a list');
  expect(lost('> | ID | Text |\n> |---|---|\n> | B-7 | Hears. |')).toMatch(
    /the head of a table.*row of B-7/s,
  );
  expect(lost('A-2 | Hears. |')).toContain('the row of A-2 is outside of every table');
  expect(lost('| NEW-7 | Hears. |')).toContain('the row of NEW-7 is outside of every table');
  expect(lost('Either A-2 or a | b, whatever.')).toBe('');
});

test('a table ends at a line without a pipe, may be indented, and needs as many dashes as columns', () => {
  const ids = (text: string): readonly string[] => read(text).map(({ id }) => id);
  expect(ids(`${head}${row('A-1')}These are all.\n\n${head}${row('A-2')}`)).toEqual(['A-1', 'A-2']);
  expect(ids(`1. All:\n\n    | ID | Text |\n    |---|---|\n    ${row('A-1')}`)).toEqual(['A-1']);
  expect(shown(`| ID | Text |\n|---|\n${row('A-1')}\n${head}${row('A-2')}`)).toContain(
    'add the line of dashes, with as many columns as the head has',
  );
});
