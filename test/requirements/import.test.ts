/** Requirements of a Markdown document become a file that a team keeps; nothing is lost or guessed silently. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requirementsSchemaText } from '../../src/requirements/requirement-document.ts';
import { makeProject } from '../harness/project.ts';
import { projectFolder, readProjectFile } from '../harness/project-files.ts';
import { coverageOf, held, shop } from './harness.ts';

const spec = readProjectFile('examples/catalogue/spec.md');

test('sixty rows of two tables, with priorities, methods and anti-patterns', async () => {
  const project = makeProject({
    'spec.md': spec,
    'shakedown.yaml': `name: example\ntrials: "trials/**"\n${shop}\n`,
    'trials/a.trial.yaml': `id: a\ncovers: [INT-003]\n${held}\n`,
  });
  const { code, stdout } = await project.run([
    'coverage',
    '--import',
    'spec.md',
    '--write',
    'requirements.yaml',
    '--defer',
    'not built: later',
  ]);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain('60 requirements: 34 p0, 19 p1, 7 p2');
  expect(stdout).toContain('60 with a method, 60 with a rejected anti-pattern, 59 deferred');
  const written = readFileSync(path.join(project.folder, 'requirements.yaml'), 'utf8');
  expect(written).toContain('failPath: true # because of “cannot”');
  const shown = await coverageOf(project);
  expect(shown.priorities).toEqual({
    p0: { total: 34, deferred: 33, 'not-executed': 1 },
    p1: { total: 19, deferred: 19 },
    p2: { total: 7, deferred: 7 },
  });
  const all = shown.requirements as unknown as ReadonlyArray<Record<string, unknown>>;
  for (const line of spec.split('\n').filter((row) => row.startsWith('| INT-'))) {
    const [, id, ...cells] = line.split('|').map((cell) => cell.trim());
    const { title, text, method, antiPattern } = all.find((one) => one.id === id) ?? {};
    for (const cell of cells.filter(Boolean)) expect([title, text, method, antiPattern], id).toContain(cell);
  }

  const again = await project.run(['coverage', '--import', 'spec.md', '--write', 'requirements.yaml']);
  expect(again.code).toBe(2);
  expect(again.output).toContain('requirements.yaml exists already');
});

test('without --write it is printed, and no config is needed', async () => {
  const project = makeProject({ 'a.md': '| ID | Text |\n|---|---|\n| A-1 | One, of two. |\n', 'b.yaml': '' });
  const { code, stdout, stderr } = await project.run(['coverage', '--import', 'a.md', '--defer', 'later']);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain(
    'requirements:\n  - id: A-1\n    text: "One, of two."\n    source: a.md\n    deferred:\n      reason: later\n',
  );
  expect(stderr).toContain('1 requirements: 1 without a priority');
  const json = JSON.parse((await project.run(['coverage', '--import', 'a.md', '--json'])).stdout);
  expect(json).toMatchObject({ file: null, requirements: [{ id: 'A-1' }], notes: [] });
  expect((await project.run(['coverage', '--import', 'b.yaml'])).output).toContain(
    'b.yaml is not a Markdown file',
  );
  expect((await project.run(['coverage', '--import', 'c.md'])).output).toContain(
    'there is no file of requirements',
  );
});

test('a broken table is refused as a whole, with its rows', async () => {
  const rows = spec
    .replace('| INT-004 |', '| INT-003 |')
    .replace('| INT-010 | Planner pricing', '| | Planner pricing');
  const project = makeProject({ 'spec.md': rows });
  const { code, output } = await project.run(['coverage', '--import', 'spec.md', '--write', 'out.yaml']);
  expect(code).not.toBe(0);
  expect(output).toContain('INT-003 is in this table twice');
  expect(output).toContain('this row has no id');
  expect(output).toContain('no table says what must be true for INT-004');
  expect(output).toContain('no table says what must be true for INT-010');
  expect(existsSync(path.join(project.folder, 'out.yaml'))).toBe(false);
});

test('schema/requirements.schema.json is up to date (node scripts/write-schema.ts)', () => {
  expect(readFileSync(path.join(projectFolder, 'schema/requirements.schema.json'), 'utf8')).toBe(
    requirementsSchemaText(),
  );
});
