/** What we write below a project stays in it: a link is replaced or refused, and nothing outside changes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject, type Project } from './harness/project.ts';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const config = 'services: { web: { run: [node, services/answers.mjs], listen: { env: PORT } } }';
const trials = {
  g: 'steps: [{ http: GET web/, as: got }]\nchecks: { gold: { exchange: got, golden: true }, other: { exchange: got, golden: true } }',
};

/** A folder beside the project, with a file in it. */
function outsideOf(project: Project): { readonly folder: string; readonly holds: () => void } {
  const folder = path.join(path.dirname(project.folder), 'out');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'victim.json'), 'precious');
  const holds = (): void => {
    expect(readdirSync(folder)).toEqual(['victim.json']);
    expect(readFileSync(path.join(folder, 'victim.json'), 'utf8')).toBe('precious');
  };
  return { folder, holds };
}

function link(project: Project, name: string, target: string): string {
  const at = path.join(project.folder, name);
  mkdirSync(path.dirname(at), { recursive: true });
  symlinkSync(target, at);
  return at;
}

test('an accepted output takes the place of a link; a folder that leads out is refused before anything is written', async () => {
  const project = trialsProject(config, trials);
  const outside = outsideOf(project);
  await performTrials(project);
  const other = link(project, 'shakedown/golden/g/other.json', '../../../../out/victim.json');
  const accepted = await project.run(['judge', '--accept']);
  expect(accepted.code, accepted.output).toBe(0);
  outside.holds();
  expect(JSON.parse(readFileSync(other, 'utf8'))).toBeDefined();
  for (const name of ['shakedown/golden/g', 'shakedown/golden', 'shakedown']) {
    const second = trialsProject(config, trials);
    const away = outsideOf(second);
    await performTrials(second);
    link(second, name, away.folder);
    const refused = await second.run(['judge', '--accept']);
    expect([refused.code, unfolded(refused.output)], name).toEqual([
      2,
      expect.stringContaining('a link on the way leads out of the project'),
    ]);
    away.holds();
  }
});

test('a recording, a schema and imported requirements do not leave the project through a link', async () => {
  const withBank = `resources: { bank: { kind: http, because: it is theirs, upstream: { url: "http://127.0.0.1:9" } } }\n${config}`;
  const project = trialsProject(withBank, { a: 'steps: [{ http: GET web/, expect: { status: 200 } }]' });
  const outside = outsideOf(project);
  writeFileSync(
    path.join(project.folder, 'spec.md'),
    '| ID | Requirement |\n|---|---|\n| A-1 | It answers. |\n',
  );
  link(project, 'shakedown', outside.folder);
  for (const args of [
    ['record'],
    ['lint', '--schema', 'shakedown/trial.schema.json'],
    ['coverage', '--import', 'spec.md', '--write', 'shakedown/r.yaml'],
  ]) {
    const { code, output } = await project.run(args);
    expect([args[0], code], output).not.toEqual([args[0], 70]);
    expect(unfolded(output), args[0]).toContain('leads out of the project');
    outside.holds();
  }
});

test('a link inside the repository is followed', async () => {
  const project = trialsProject(config, trials);
  const shared = path.join(path.dirname(project.folder), 'shared');
  for (const made of [shared, path.join(path.dirname(project.folder), '.git')]) mkdirSync(made);
  await performTrials(project);
  link(project, 'shakedown', shared);
  expect((await project.run(['judge', '--accept'])).code).toBe(0);
  expect(readdirSync(path.join(shared, 'golden/g'))).toEqual(['gold.json', 'other.json']);
});

test.each(['../out', '../nowhere'])(
  'init --from refuses `trials` as a link to %s, and writes no config',
  async (target) => {
    const project = makeProject({ Procfile: 'web: node services/answers.mjs\n' });
    const outside = outsideOf(project);
    link(project, 'trials', target);
    const { code, output } = await project.run(['init', '--from', 'Procfile']);
    expect(code, output).toBe(2);
    expect(unfolded(output)).toMatch(/leads out of the project|leads nowhere/);
    expect(existsSync(path.join(project.folder, 'shakedown.yaml'))).toBe(false);
    outside.holds();
  },
);
