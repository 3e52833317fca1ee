/** `lint --live`: tables and columns of `rows` checks are compared with the databases of the running system. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lintJson } from './harness/lint-project.ts';
import { notesProject } from './harness/notes-system.ts';
import { nothing } from './harness/until.ts';

const trial = `id: notes
steps:
  - { http: "GET notes/note?text=hello", expect: { status: 200 } }
  - until: { rows: notes.notes, where: { tex: hello }, count: 1 }
checks:
  stored: { rows: notes.notes, where: { text: hello }, orderBy: id desc, expect: [{ text: hello }] }
  expected: { rows: notes.notes, expect: { $some: { titel: hello } } }
  ordered: { rows: notes.notes, orderBy: "id, texts desc", count: { $gte: 1 } }
  selected: { rows: notes.notes, columns: [id, body], count: { $gte: 1 } }
  misspelt: { rows: notes.note, count: { $gte: 1 } }
  nowhere: { rows: notes.elsewhere, count: { $gte: 1 } }
  anywhere: { rows: "*.notes", where: { text: hello }, count: { $gte: 1 } }
`;

const flow = `import { flow } from 'shakedown';
flow('rows', { id: 'flow' }, async ({ rows, check }) => {
  check('there', rows('notes.notes', { text: 'hello' }), { $length: 0 });
  check('gone', rows('notes.nots', { text: 'hello' }), { $length: 0 });
});
`;

test('tables and columns, in files and in the text of flows', async () => {
  const project = notesProject();
  writeFileSync(path.join(project.folder, 'notes.trial.yaml'), trial);
  writeFileSync(path.join(project.folder, 'rows.flow.ts'), flow);
  const { code, findings, shown, json, notKnown } = await lintJson(project, ['--live']);
  expect(code).toBe(6);
  expect(shown).toEqual([
    'unknown-column notes.trial.yaml:4',
    'unknown-column notes.trial.yaml:7',
    'unknown-column notes.trial.yaml:8',
    'unknown-column notes.trial.yaml:9',
    'unknown-table notes.trial.yaml:10',
    'unknown-table notes.trial.yaml:11',
    'unknown-table rows.flow.ts:4',
  ]);
  expect(findings[0]).toMatchObject({ next: 'did you mean `text`?', text: expect.stringContaining('`tex`') });
  expect(findings[1]).toMatchObject({ check: 'expected', text: expect.stringContaining('`titel`') });
  expect(findings[4]).toMatchObject({ check: 'misspelt', next: 'did you mean `notes.notes`?' });
  expect(findings[5]?.next).toMatch(/^it has notes; if the system creates it later/);
  expect(json.live).toMatchObject({ tables: 5 });
  expect(notKnown).toEqual([expect.objectContaining({ what: 'flow', count: 1 })]);
  expect(project.left()).toEqual(nothing);
});
