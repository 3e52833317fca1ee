/** An empty suite, or a glob that finds nothing, is reported. */
import { expect, test } from 'vitest';
import { lintJson, lintProject, soundTrial } from './harness/lint-project.ts';
import { makeProject } from './harness/project.ts';

const services = 'services:\n  web: { run: [node, services/answers.mjs], listen: { env: PORT } }\n';

test('a glob that finds no trial is a finding, beside others that find some, too', async () => {
  const empty = lintProject({ 'trials/a.yaml': 'id: a' });
  const { code, shown, findings } = await lintJson(empty);
  expect(code).toBe(6);
  expect(shown).toEqual(['empty-glob shakedown.yaml:2']);
  expect(findings[0]?.text).toBe('`trials` has "trials/**", which finds no trial');

  const config = `name: pair\ntrials: [trials/**, flow/**]\n${services}`;
  const half = makeProject({ 'shakedown.yaml': config, 'trials/a.trial.yaml': soundTrial('a') });
  const said = await half.run(['lint']);
  expect(said.code, said.output).toBe(6);
  expect(said.output).toContain('shakedown.yaml:2  empty-glob  `trials` has "flow/**", which finds no trial');
});

test('a project without trials and without globs gets a warning; with a trial it gets none', async () => {
  const config = `name: pair\n${services}`;
  const bare = await lintJson(makeProject({ 'shakedown.yaml': config }));
  expect(bare.code).toBe(0);
  expect(bare.shown).toEqual(['no-trials shakedown.yaml:1']);
  const one = await lintJson(makeProject({ 'shakedown.yaml': config, 'deep/a.trial.yaml': soundTrial('a') }));
  expect(one).toMatchObject({ code: 0, shown: [] });
});
