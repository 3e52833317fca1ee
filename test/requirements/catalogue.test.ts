/** The example with sixty requirements: a few are shown on every backend, the others are deferred with a reason. */
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readMarkdownRequirements } from '../../src/requirements/markdown/read-markdown-requirements.ts';
import { readYamlRequirements } from '../../src/requirements/read-yaml-requirements.ts';
import type { Requirement } from '../../src/requirements/requirement.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { projectFolder, readProjectFile } from '../harness/project-files.ts';
import { performTrials } from '../harness/trials-project.ts';
import { coverageOf, kindsOf } from './harness.ts';

const example = path.join(projectFolder, 'examples/catalogue');

function catalogue(): Project {
  const project = makeProject({});
  cpSync(example, project.folder, { recursive: true, filter: (file) => !file.includes('.shakedown') });
  writeFileSync(path.join(project.folder, 'package.json'), '{"type":"module"}');
  return project;
}

test('its file matches its document, and gives a reason for each deferral', () => {
  const { placed } = readMarkdownRequirements(
    path.join(example, 'spec.md'),
    readProjectFile('examples/catalogue/spec.md'),
    example,
  );
  const kept = readYamlRequirements(
    path.join(example, 'requirements.yaml'),
    readProjectFile('examples/catalogue/requirements.yaml'),
    example,
  ).map(({ requirement }) => requirement);
  const said = ({ id, title, text, priority, method, antiPattern }: Requirement): unknown => ({
    id,
    title,
    text,
    priority,
    method,
    antiPattern,
  });
  expect(kept.map(said)).toEqual(placed.map(({ requirement }) => said(requirement)));
  expect(kept.filter(({ deferred, dependsOn }) => deferred || dependsOn.length > 0)).toHaveLength(54);
});

test('what it covers holds on both backends; a defect shows as the requirement that it breaks', async () => {
  const project = catalogue();
  for (const store of ['memory', 'disk']) {
    const run = await performTrials(project, '--gate', 'pr', '--variant', `store=${store}`);
    expect(run.code, run.text).toBe(0);
  }
  const runs = readdirSync(path.join(project.folder, '.shakedown/runs'));
  const shown = await coverageOf(project, ...runs, '--gate', 'pr');
  expect(shown).toMatchObject({
    exitCode: 0,
    backends: ['store=disk', 'store=memory'],
    counts: { total: 60, covered: 6, pending: 3, deferred: 51 },
    priorities: { p0: { total: 34, covered: 6 }, p1: { total: 19 }, p2: { total: 7 } },
  });
  expect((await coverageOf(project, ...runs, '--gate', 'release')).findings).toHaveLength(54 + 1);

  await project.run(['run', 'limits'], { env: { DEFECT: 'weight-ignored' } });
  expect(kindsOf((await coverageOf(project)).findings)).toEqual(['failed INT-019']);
});
