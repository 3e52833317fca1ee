/** Lints the code itself: sizes, forms, names, and calls that have a place of their own. All violations are reported at once. */
import { describe, expect, test } from 'vitest';
import { projectFiles, readProjectFile } from './harness/project-files.ts';
import { parseSource } from './harness/typescript-source.ts';
import { checkTidy, findDeadFiles, tidyRules } from './tidy/check-tidy.ts';
import { exceptions } from './tidy/exceptions.ts';
import { nameFault } from './tidy/forms.ts';
import { sizeFigures } from './tidy/sizes.ts';
import { findTexts, textRules } from './tidy/texts.ts';

/** Suites that were written elsewhere are kept as they were written. */
const elsewhere = /^test\/sabotage\/(?:clinic|newsroom|garage)\//;
const files = projectFiles().filter((file) => !elsewhere.test(file));
const codeFiles = new Map(
  files.filter((file) => /\.tsx?$/.test(file)).map((file) => [file, readProjectFile(file)]),
);
const sources = [...codeFiles].map(([file, text]) => parseSource(file, text));

test('the code keeps to the rules', () => {
  expect(
    checkTidy(
      sources,
      exceptions.filter(({ rule }) => rule !== 'dead file'),
    ),
  ).toEqual([]);
});

test('files are short: 300 lines at the 95th percentile', () => {
  const own = sources.filter(({ file }) => file.startsWith('src/') || file.startsWith('test/'));
  const { median, p95, longest } = sizeFigures(own);
  console.log(
    `${own.length} files: ${median} lines in the median, ${p95} at the 95th percentile, longest ${longest}`,
  );
  expect(p95).toBeLessThanOrEqual(300);
});

test('files are named after what they hold', () => {
  expect(files.flatMap((file) => nameFault(file) ?? [])).toEqual([]);
});

test('no file holds unfinished work, paths of a machine or hosts of a registry', () => {
  expect(files.flatMap((file) => findTexts(file, readProjectFile(file)))).toEqual([]);
});

test('every file of the source is reached from an entry', () => {
  const live = new Map([...codeFiles].filter(([file]) => !file.endsWith('.test.ts')));
  const entries = [...live.keys()].filter((file) => file.endsWith('-main.ts') || file.startsWith('scripts/'));
  const waiting = exceptions.filter(({ rule }) => rule === 'dead file').map(({ file }) => file);
  const page = ['main.tsx', 'browser-types.ts'].map((name) => `src/report/page/${name}`); // what its build names
  expect(
    findDeadFiles(live, ['src/index.ts', 'src/testing/index.ts', 'src/cli/main.ts', ...page, ...entries]),
  ).toEqual(waiting);
});

describe('each rule can fail', () => {
  const inSrc = (text: string) => [parseSource('src/room/part.ts', text)];

  test.each(tidyRules.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    for (const bad of rule.bad) expect(checkTidy(inSrc(bad), [], [rule]), bad).not.toEqual([]);
    for (const good of rule.good) expect(checkTidy(inSrc(good), [], [rule]), good).toEqual([]);
    expect(rule.bad.length * rule.good.length).toBeGreaterThan(0);
  });

  test.each(textRules.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    for (const bad of rule.bad) expect(findTexts('a.md', bad, [rule]), bad).not.toEqual([]);
    for (const good of rule.good) expect(findTexts('a.md', good, [rule]), good).toEqual([]);
  });

  test('a violation names file, line and replacement', () => {
    expect(checkTidy(inSrc('/** A file. */\n\nexport const a = Math.random();\n'), [])).toEqual([
      'src/room/part.ts:3: Math.random; instead: the seeded `random`, or kernel/unique-id',
    ]);
  });

  test('an unused exception', () => {
    const idle = { file: 'src/room/part.ts', rule: 'Math.random', because: 'a test' };
    expect(checkTidy(inSrc('/** A file. */\n'), [idle])).toEqual([
      'src/room/part.ts: the exception from `Math.random` is not needed',
    ]);
  });

  test('a vague name, and one that is not kebab-case', () => {
    expect(nameFault('src/room/string-utils.ts')).toMatch('says nothing');
    expect(nameFault('src/helpers/part.ts')).toMatch('says nothing');
    expect(nameFault('src/room/bootGraph.ts')).toMatch('src/room/boot-graph.ts');
    expect(nameFault('src/room/boot-graph.property.test.ts')).toBeUndefined();
  });

  test('a file without an importer', () => {
    const three = new Map([
      ['src/index.ts', "export type { B } from './b.ts';"],
      ['src/b.ts', ''],
      ['src/c.ts', "import './b.ts';"],
    ]);
    expect(findDeadFiles(three, ['src/index.ts'])).toEqual(['src/c.ts']);
  });
});
