/** The example with kinds in Python: it works from outside of the source tree, and each of its defects turns it red. */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { defects } from '../examples/plugin/src/defects.ts';
import { needs } from './harness/needs.ts';
import { makeProject, type Project } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';
import { nothing } from './harness/until.ts';

function exampleProject(): Project {
  const project = makeProject({});
  cpSync(path.join(projectFolder, 'examples/plugin'), project.folder, { recursive: true });
  return project;
}

test('healthy: it passes, shuffled, its plugin conforms, and every check can fail', async () => {
  needs('python3');
  const project = exampleProject();
  const run = await project.run(['run', '--repeat', '2', '--shuffle']);
  expect(run.code, run.output).toBe(0);
  const conformance = await project.run(['conformance', 'redis']);
  expect(conformance.code, conformance.output).toBe(0);
  const sabotage = await project.run(['sabotage', '--json']);
  expect(JSON.parse(sabotage.stdout), sabotage.output).toMatchObject({ vitality: 1 });
  expect(project.left()).toEqual(nothing);
});

test.each(defects.map(({ name }) => name))('%s turns it red', async (name) => {
  needs('python3');
  const project = exampleProject();
  const { code, output } = await project.run(['run', '--bail'], { env: { DEFECT: name } });
  expect(code, output).toBe(1);
  expect(project.left()).toEqual(nothing);
});
