/** Requirements that drifted, and what was lost since a revision, by git; what git cannot determine is reported. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Project } from '../harness/project.ts';
import { binary } from '../harness/project.ts';
import { runCommand } from '../harness/run-command.ts';
import { makeTemporaryFolder } from '../harness/temporary-folder.ts';
import { unfolded } from '../harness/trials-project.ts';
import { commit, coverageOf, git, held, kindsOf, shopProject, write } from './harness.ts';

const requirements = `- id: A-1
  text: It answers.
  priority: p0
- id: A-2
  text: It is fast.
  priority: p1
  source: spec.md#speed
`;
const spec = '# Spec\n\n## Speed\n\nWithin a second.\n\n## Other\n\nWords.\n';
const trials = { a: `covers: [A-1]\n${held}`, b: `covers: [A-1, A-2]\n${held}` };

function committed(): Project {
  const project = shopProject(requirements, trials, { 'spec.md': spec });
  git(project.folder, 'init', '-q');
  commit(project, 'first');
  return project;
}

const drifted = (shown: { findings: Parameters<typeof kindsOf>[0] }): readonly string[] =>
  kindsOf(shown.findings).filter((kind) => kind.startsWith('drifted'));

test('a text that changed after its trials, until one of them is touched again', async () => {
  const project = committed();
  write(project, { 'requirements.yaml': requirements.replace('It answers.', 'It answers politely.') });
  expect(drifted(await coverageOf(project))).toEqual(['drifted A-1']);
  commit(project, 'politely');
  const shown = await coverageOf(project, '--gate', 'pr');
  expect(shown.warnings.map(({ text }) => text).join()).toMatch(
    /the text of A-1 changed after a, b were touched last \(\d{4}-\d\d-\d\d\)/,
  );
  write(project, { 'trials/a.trial.yaml': `id: a\n# still holds\n${trials.a}\n` });
  expect(drifted(await coverageOf(project))).toEqual([]);
});

test('without a complete history, drift is reported as undetermined', async () => {
  const project = shopProject(requirements, trials, { 'spec.md': spec });
  const outside = await coverageOf(project);
  expect(outside.undetermined).toEqual([
    { ids: ['A-1', 'A-2'], because: 'this folder is not in a git repository' },
  ]);
  const gated = await project.run(['coverage', '--gate', 'nightly']);
  expect(gated.code).toBe(6);
  expect(unfolded(gated.output)).toContain(
    'the gate nightly checks whether requirements drifted, which cannot be determined for A-1, A-2',
  );
  expect(gated.output).toContain('Not known: whether texts changed after their trials');
  const noGit = await project.run(['coverage', '--json'], { env: { PATH: '/nowhere' } });
  expect(JSON.parse(noGit.stdout).undetermined[0].because).toBe('git is not installed here');

  git(project.folder, 'init', '-q');
  commit(project, 'first');
  write(project, { 'requirements.yaml': requirements.replace('It answers.', 'It answers politely.') });
  commit(project, 'second');
  const clone = makeTemporaryFolder('shallow');
  try {
    git(clone.path, 'clone', '-q', '--depth', '1', `file://${project.folder}`, 'copy');
    const shallow = await runCommand([process.execPath, binary, 'coverage', '--json'], {
      cwd: path.join(clone.path, 'copy'),
      env: project.env,
    });
    const shown = JSON.parse(shallow.stdout);
    expect(shown.undetermined[0]).toMatchObject({ ids: ['A-1', 'A-2'] });
    expect(shown.undetermined[0].because).toContain('git fetch --unshallow');
    const against = await runCommand([process.execPath, binary, 'coverage', '--against', 'HEAD~1'], {
      cwd: path.join(clone.path, 'copy'),
      env: project.env,
    });
    expect(against.code).toBe(2);
    expect(against.output).toContain('the history is shallow: git fetch --unshallow');
  } finally {
    clone.remove();
  }
});

test('what existed at a revision and is gone', async () => {
  const project = committed();
  write(project, {
    'requirements.yaml': requirements.slice(0, requirements.indexOf('- id: A-2')),
    'trials/a.trial.yaml': 'id: a\nsteps: [{ http: GET web/a }]\nchecks: { said: { logs: web, count: 1 } }\n',
  });
  rmSync(path.join(project.folder, 'trials/b.trial.yaml'));
  const shown = await coverageOf(project, '--against', 'HEAD', '--gate', 'pr');
  const lost = shown.findings.filter(({ kind }) => kind.startsWith('lost'));
  expect(kindsOf(lost)).toEqual([
    'lost-check a',
    'lost-coverage A-1',
    'lost-requirement A-2',
    'lost-trial b',
  ]);
  // Hiding a trial from the config is losing it, too; so is losing every requirement.
  git(project.folder, 'checkout', '-q', '.');
  const config = git(project.folder, 'show', 'HEAD:shakedown.yaml');
  write(project, { 'shakedown.yaml': config.replace('trials/**', 'trials/a*') });
  rmSync(path.join(project.folder, 'requirements.yaml'));
  const hidden = await coverageOf(project, '--against', 'HEAD');
  expect(kindsOf(hidden.findings)).toEqual([
    'lost-requirement A-1',
    'lost-requirement A-2',
    'lost-trial b',
    'unknown-requirement A-1',
  ]);

  const nowhere = await project.run(['coverage', '--against', 'no-such-rev']);
  expect(nowhere.code).toBe(2);
  expect(nowhere.output).toContain('nothing can be compared with "no-such-rev": git knows no such revision');
});
