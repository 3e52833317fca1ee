/** Unwritable files, damaged run folders, options without effect: reported as problems, never as a crash. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { performTrials } from '../harness/trials-project.ts';
import { held, shopProject } from './harness.ts';

const table = '| ID | Text |\n|---|---|\n| A-1 | One. |\n';

test('a file that cannot be written', async () => {
  const project = shopProject(
    '- { id: A-1, text: One., deferred: { reason: later } }\n',
    {},
    { 'a.md': table },
  );
  for (const args of [
    ['--html', 'nodir/x.html'],
    ['--html', '.'],
    ['--import', 'a.md', '--write', 'nodir/r.yaml'],
  ]) {
    const { code, output } = await project.run(['coverage', ...args]);
    expect(code, output).toBe(3);
    expect(output).toContain('error[world.not-writable]');
    expect(output).toMatch(/the file of `--(?:html|write)` cannot be written: E(?:NOENT|ISDIR)/);
  }
});

test('options that would do nothing are refused', async () => {
  const project = makeProject({ 'a.md': table });
  for (const [args, what] of [
    [['latest', '--write', 'z.yaml', '--defer', 'x'], '`--write` needs `--import`'],
    [['--defer', 'x'], '`--defer` needs `--import`'],
    [['--import', 'a.md', '--gate', 'pr'], '`--gate` applies to the results of runs'],
    [['--import', 'a.md', 'latest'], '`latest` applies to the results of runs'],
  ] as const) {
    const { code, output } = await project.run(['coverage', ...args]);
    expect(code, output).toBe(2);
    expect(output).toContain(what);
  }
});

test('a damaged run folder', async () => {
  const project = shopProject('- { id: A-1, text: One., priority: p0 }\n', {
    good: `covers: [A-1]\n${held}`,
  });
  const { code, text } = await performTrials(project, '--gate', 'pr');
  expect(code, text).toBe(0);
  const runs = path.join(project.folder, '.shakedown/runs');
  const [run = ''] = readdirSync(runs);
  const plan = JSON.parse(readFileSync(path.join(runs, run, 'plan.json'), 'utf8')) as Record<string, unknown>;
  const without = (name: string): string => JSON.stringify({ ...plan, [name]: undefined });
  const journal = readFileSync(path.join(runs, run, 'trials/good/events.ndjson'), 'utf8');
  const cases: ReadonlyArray<readonly [verb: string, file: string, text: string, words?: string]> = [
    ['judge', 'plan.json', 'null'],
    ['judge', 'plan.json', without('trials')],
    ['judge', 'plan.json', JSON.stringify({ ...plan, trials: [null] })],
    ['judge', 'plan.json', JSON.stringify({ ...plan, trials: [] })],
    ['judge', 'plan.json', JSON.stringify({ ...plan, requirements: {} })],
    ['coverage', 'plan.json', without('system')],
    ['judge', 'outcome.json', '{"problems":1}'],
    ['judge', 'outcome.json', 'null'],
    ['judge', 'trials/good/events.ndjson', 'null\n', 'cannot be used'],
    ['judge', 'trials/good/events.ndjson', `${journal}null\n`, 'cannot be used'],
    ['coverage', 'verdict.json', '{"schemaVersion":1,"trials":[null]}'],
    ['coverage', 'verdict.json', 'null'],
  ];
  await Promise.all(
    cases.map(async ([verb, name, damage, words = 'error[run.unreadable]'], index) => {
      const folder = path.join(project.folder, `damaged-${index}`);
      mkdirSync(path.join(folder, 'trials/good'), { recursive: true });
      for (const file of ['plan.json', 'outcome.json', 'verdict.json', 'trials/good/events.ndjson'])
        writeFileSync(path.join(folder, file), readFileSync(path.join(runs, run, file)));
      writeFileSync(path.join(folder, name), damage);
      const shown = await project.run([verb, folder]);
      // One journal that cannot be read makes its own trial unknown.
      expect(shown.code, `${name} = ${damage}: ${shown.output}`).toBe(name.startsWith('trials') ? 6 : 2);
      expect(shown.output.replaceAll(/\s+/g, ' ')).toContain(words);
      expect(shown.output).toContain(path.basename(name));
    }),
  );
});
