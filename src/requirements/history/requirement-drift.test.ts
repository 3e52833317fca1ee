import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryFolder } from '../../../test/harness/temporary-folder.ts';
import { readYamlRequirements } from '../read-yaml-requirements.ts';
import { findDrift } from './requirement-drift.ts';

const requirements = `- id: A-1
  text: It answers.
  priority: p0
- id: A-2
  text: It is fast.
  source: ../spec.md#speed
`;
const spec = '# Spec\n\n## Speed\n\nWithin a second.\n\n## Other\n\nWords.\n';
const trial = 'id: a\n';

/** A repository with one commit, in which the system is in a subfolder. */
function repository() {
  const { path: root, remove } = makeTemporaryFolder('drift');
  onTestFinished(remove);
  const folder = path.join(root, 'system');
  mkdirSync(folder);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const put = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  const commit = (): void => {
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', 'next');
  };
  let file = 'needs.yaml';
  let text = requirements;
  put(file, text);
  put('a.trial.yaml', trial);
  put('b.trial.yaml', trial);
  put('../spec.md', spec);
  git('init', '-q');
  commit();
  return {
    folder,
    put,
    commit,
    git,
    change: (from: string, to: string): void => {
      text = text.replace(from, to);
      put(file, text);
    },
    rename: (to: string): void => {
      renameSync(path.join(folder, file), path.join(folder, to));
      file = to;
    },
    look: async (
      covered: Readonly<Record<string, readonly string[]>> = { 'A-1': ['a', 'b'], 'A-2': ['b'] },
    ) => {
      const placed = readYamlRequirements(path.join(folder, file), text, folder);
      const covering = Object.entries(covered).map(
        ([id, trials]) =>
          [id, trials.map((name) => ({ id: name, file: path.join(folder, `${name}.trial.yaml`) }))] as const,
      );
      const { findings, undetermined, newer } = await findDrift({
        folder,
        requirements: placed.map(({ requirement }) => requirement),
        covering: new Map(covering),
        env: process.env,
      });
      return { drifted: findings.map(({ requirement }) => requirement), undetermined, newer };
    },
  };
}

const fine = { drifted: [], undetermined: [], newer: [] };

test('a text that changed counts, committed or not; spaces and other keys do not', async () => {
  const { change, commit, look, put } = repository();
  expect(await look()).toEqual(fine);
  change('It answers.', 'It  answers.');
  change('priority: p0', 'priority: p1');
  expect(await look()).toEqual(fine);
  change('It  answers.', 'It answers politely.');
  expect(await look()).toEqual({ ...fine, drifted: ['A-1'] });
  commit();
  expect(await look()).toEqual({ ...fine, drifted: ['A-1'] });
  put('b.trial.yaml', `${trial}# still holds\n`);
  expect(await look()).toEqual(fine);
  commit();
  expect(await look()).toEqual(fine);
  expect(await look({ 'A-1': ['a'] })).toEqual({ ...fine, drifted: ['A-1'] });
});

test('changed together with its trial is not drifted; changed back neither', async () => {
  const { change, commit, look, put } = repository();
  change('It answers.', 'It sings.');
  put('a.trial.yaml', `${trial}# sings\n`);
  commit();
  expect(await look()).toEqual(fine);
  change('It is fast.', 'It is slow.');
  commit();
  expect(await look()).toMatchObject({ drifted: ['A-2'] });
  change('It is slow.', 'It is fast.');
  commit();
  expect(await look()).toEqual(fine);
});

test('the section that it was taken from, and no other', async () => {
  const { look, put } = repository();
  put('../spec.md', spec.replace('Words.', 'Other words.'));
  expect(await look()).toEqual(fine);
  put('../spec.md', spec.replace('a second', 'two seconds'));
  expect(await look()).toEqual({ ...fine, drifted: ['A-2'] });
});

test('a file that was renamed is the same; a requirement that is newer has nothing to be compared with', async () => {
  const { change, commit, look, rename } = repository();
  change('It answers.', 'It answers politely, whoever asks.');
  rename('wishes.yaml');
  commit();
  expect(await look()).toEqual({ ...fine, drifted: ['A-1'] });
  change('- id: A-2', '- { id: A-3, text: New. }\n- id: A-2');
  expect(await look({ 'A-3': ['a'] })).toEqual({ ...fine, newer: ['A-3'] });
});

test('what git does not know is undetermined', async () => {
  const { look, put, git, commit } = repository();
  put('.gitignore', 'c.trial.yaml\n');
  put('c.trial.yaml', trial);
  expect(await look({ 'A-1': ['c'] })).toEqual({
    ...fine,
    undetermined: [{ ids: ['A-1'], because: 'c.trial.yaml is not in git' }],
  });
  put('needs.yaml', 'broken: [');
  put('d.trial.yaml', trial);
  commit();
  expect((await look({ 'A-1': ['d'] })).undetermined[0]?.because).toContain(
    'needs.yaml cannot be read as it was at',
  );
  git('checkout', '-q', '--orphan', 'empty');
  expect((await look()).undetermined[0]?.because).toBe('there is no commit yet');
});
