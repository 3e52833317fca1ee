/** A part of `npm run secrets`: no secret reaches a file, by any channel and in any form. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeProject } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';
import { lookForSecrets, plantedProject, plantedSecrets } from './secrets/plant-secrets.ts';

test('secrets over every channel arrive as tokens, and are in no file', async () => {
  const planted = plantedSecrets(49);
  const files = plantedProject(
    planted,
    pathToFileURL(path.join(projectFolder, 'node_modules/pg/lib/index.js')).href,
  );
  const project = makeProject(files);
  const env = Object.fromEntries(planted.map(({ name, value }) => [name, value]));
  const { code, output } = await project.run(['run'], { env, withinMs: 120_000 });
  expect(code, output).toBe(1);
  expect((await project.run(['judge', '--accept'], { env })).output).toContain('golden');
  const report = lookForSecrets(project.folder, planted, new Set(Object.keys(files)));
  expect(report, output).toEqual({ planted: 49, arrived: 49, missing: [], leaked: [] });
}, 180_000);
