/** PostgreSQL in a container: the same suite as every other form, and a run with it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { prepareForm } from '../src/resources/postgres/embedded/embedded-form.ts';
import { postgresConformance } from './conformance/postgres-conformance.ts';
import { containerVariant } from './conformance/postgres-container-variant.ts';
import { plainSpec } from './conformance/postgres-variants.ts';
import { createTestContext } from './conformance/resource-context.ts';
import { containersOf, postgresImage, removeTestImage } from './harness/container-image.ts';
import { hasAll, needs } from './harness/needs.ts';
import { notesProject } from './harness/notes-system.ts';
import { nothing } from './harness/until.ts';

if (hasAll('linux', 'root', 'docker')) postgresConformance('container', containerVariant);

test('jobs and services use it through taps, and each trial begins as the jobs left it', async () => {
  needs('linux', 'root', 'docker');
  const context = createTestContext();
  const { binaries } = await prepareForm(plainSpec, context);
  const image = postgresImage(path.dirname(path.dirname(binaries.postgres)));
  onTestFinished(() => removeTestImage(image));
  context.clear();
  const project = notesProject({ image });
  const trial = `steps:
  - { http: GET notes/note?text=later, expect: { status: 200, text: '{"id":101}' } }
checks:
  stored: { rows: notes.notes, count: 2 }
  through-its-tap: { calls: notes -> db, where: { method: INSERT }, count: 1 }
`;
  for (const id of ['one', 'two'])
    writeFileSync(path.join(project.folder, `${id}.trial.yaml`), `id: ${id}\n${trial}`);
  const result = await project.run(['run'], { withinMs: 240_000 });
  expect(result.code, result.output).toBe(0);
  expect(containersOf(image)).toEqual([]);
  expect(project.left()).toEqual(nothing);
});
