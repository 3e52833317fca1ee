import { expect, test } from 'vitest';
import { formatProblem, problemsIn } from '../kernel/problem.ts';
import { catalogueProblems } from './catalogue-problems.ts';
import { readYamlRequirements, sourceLink } from './read-yaml-requirements.ts';
import type { Requirement } from './requirement.ts';
import { requirementsText } from './write-requirements.ts';

const folder = '/project';
const file = `${folder}/requirements.yaml`;

function shown(text: string): string {
  try {
    return catalogueProblems(readYamlRequirements(file, text, folder))
      .map(formatProblem)
      .join('\n\n');
  } catch (error) {
    return problemsIn(error).map(formatProblem).join('\n\n');
  }
}

test('a list, or a map with the list: every key', () => {
  const entry = `- id: A-1
  title: Greets
  text: Says hello.
  priority: P1
  failPath: true
  source: docs/spec.md#greeting
  deferred: { reason: no voice, until: 2026-12-31 }
  dependsOn: [A-2]
  method: Listen.
  antiPattern: Read the code.
- { id: A-2, text: Hears. }
`;
  const read = readYamlRequirements(file, entry, folder).map(({ requirement }) => requirement);
  expect(read[0]).toEqual({
    id: 'A-1',
    title: 'Greets',
    text: 'Says hello.',
    priority: 'p1',
    failPath: true,
    source: { file: 'docs/spec.md', section: 'greeting' },
    deferred: { reason: 'no voice', until: '2026-12-31' },
    dependsOn: ['A-2'],
    method: 'Listen.',
    antiPattern: 'Read the code.',
    file: 'requirements.yaml',
    line: 1,
  });
  expect(read[1]).toEqual({
    id: 'A-2',
    text: 'Hears.',
    failPath: false,
    dependsOn: [],
    file: 'requirements.yaml',
    line: 11,
  });
  const nested = `requirements:\n${entry.replaceAll(/^/gm, '  ').trimEnd()}\n`;
  expect(readYamlRequirements(file, nested, folder).map(({ requirement }) => requirement.id)).toEqual([
    'A-1',
    'A-2',
  ]);
});

test('a problem with an entry is reported at its key', () => {
  expect(
    shown(`requirements:
  - id: A 1
    text: ""
    prioritee: p0
  - id: A-2
    text: Hears.
    priority: high
    deferred: { until: 2026-12-31 }
`),
  ).toMatchInlineSnapshot(`
    "error[config.bad-value] /project/requirements.yaml:2:9
      1 | requirements:
      2 |   - id: A 1
        |         ^^^
      what     \`requirements[0].id\` is "A 1"
      allowed  an id of letters, digits, -, _, ., : and /, such as \`INT-001\`
      next     change the value

    error[config.bad-value] /project/requirements.yaml:3:11
      2 |   - id: A 1
      3 |     text: ""
        |           ^^
      what     \`requirements[0].text\` is ""
      allowed  a text that is not empty
      next     change the value

    error[config.unknown-key] /project/requirements.yaml:4:5
      3 |     text: ""
      4 |     prioritee: p0
        |     ^^^^^^^^^
      what     \`prioritee\` is not a key of \`requirements[0]\`
      allowed  id, title, text, priority, failPath, source, deferred, dependsOn, method, antiPattern
      next     did you mean \`priority\`?

    error[config.bad-value] /project/requirements.yaml:7:15
      6 |     text: Hears.
      7 |     priority: high
        |               ^^^^
      what     \`requirements[1].priority\` is "high"
      allowed  a priority such as \`p0\`, \`p1\` or \`p2\`
      next     change the value

    error[config.missing-key] /project/requirements.yaml:8:5
      7 |     priority: high
      8 |     deferred: { until: 2026-12-31 }
        |     ^^^^^^^^
      what     \`requirements[1].deferred\` has no \`reason\`
      allowed  \`reason\`: a text
      next     add \`reason\`"
  `);
});

test('duplicate ids, unknown and cyclic dependencies', () => {
  const text = `- { id: A, text: one, dependsOn: [B, C] }
- { id: B, text: two, dependsOn: [A] }
- { id: A, text: again }
`;
  expect(shown(text)).toMatchInlineSnapshot(`
    "error[requirement.duplicate-id] /project/requirements.yaml:3:9
      2 | - { id: B, text: two, dependsOn: [A] }
      3 | - { id: A, text: again }
        |         ^
      what     the id A is taken by requirements.yaml:1
      allowed  an id of its own for every requirement
      next     rename or remove one of them

    error[requirement.unknown-id] /project/requirements.yaml:1:38
      1 | - { id: A, text: one, dependsOn: [B, C] }
        |                                      ^
      what     A depends on "C", and there is no such requirement
      allowed  ids of other requirements
      next     did you mean \`A\`?

    error[requirement.cycle] /project/requirements.yaml:1:35
      1 | - { id: A, text: one, dependsOn: [B, C] }
        |                                   ^
      what     these wait for each other: A -> B -> A
      allowed  dependencies that lead to a requirement that waits for no other
      next     remove one of them"
  `);
});

test.each([
  ['', 'the file is empty'],
  ['a: [', 'this is not YAML'],
  ['just words', 'the file of requirements is "just words", a text'],
  ['requirement: []', '`requirement` is not a key of a file of requirements'],
  ['- just words', '`[0]` is "just words", a text'],
])('%j is not a file of requirements', (text, what) => {
  expect(shown(text)).toContain(what);
});

test('where a requirement comes from', () => {
  expect(sourceLink('spec.md#a-b', '/project/docs', folder)).toEqual({
    file: 'docs/spec.md',
    section: 'a-b',
  });
  expect(sourceLink('v1.2/spec.md:The rules: all', folder, folder)).toEqual({
    file: 'v1.2/spec.md',
    section: 'The rules: all',
  });
  expect(sourceLink('spec.md', folder, folder)).toEqual({ file: 'spec.md' });
});

test('any written value is read back unchanged', () => {
  const odd: readonly string[] = [
    'a: b',
    '# no comment',
    "it's",
    '- x',
    'yes',
    '"quoted"',
    'a\nb',
    ' x',
    '${a}',
    'ü — „x“',
  ];
  const requirements: Requirement[] = odd.map((text, index) => ({
    id: `A-${index}`,
    title: text.trim(),
    text: text.trim(),
    priority: 'p0',
    failPath: index % 2 === 0,
    ...(index % 2 === 0 ? { failPathFrom: 'fails' } : {}),
    deferred: { reason: text, until: 'spring' },
    dependsOn: index === 0 ? [] : ['A-0'],
    method: text,
    antiPattern: text,
    source: { file: 'spec.md', section: 'x' },
    file: 'requirements.yaml',
    line: 1,
  }));
  const text = requirementsText(requirements, ['a head']);
  expect(text).toContain('failPath: true # because of “fails”');
  const read = readYamlRequirements(file, text, folder).map(({ requirement }) => requirement);
  const bare = ({ line: _line, failPathFrom: _from, ...rest }: Requirement) => rest;
  expect(read.map(bare)).toEqual(requirements.map(bare));
});
