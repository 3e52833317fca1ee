/** `lint --since`: a boundary whose code changed needs a changed trial and a changed contract; what cannot be known is an error. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lintJson, lintProject, soundTrial } from './harness/lint-project.ts';
import type { Project } from './harness/project.ts';

const entry = (id: string, invalid = 'it is refused') => `  - id: ${id}
    sources: [src/${id}/**]
    bounded: the schema
    unbounded: timing
    invalid: ${invalid}
    valid: it is taken
    layer: trials
    owner: team a
    tiers: { 1: covered, 2: missing }
`;

/** A repository with two boundaries, one trial each, and everything committed. */
function repository(): Project {
  const project = lintProject(
    {
      '.gitignore': '.shakedown\n',
      'src/gateway/a.ts': 'export const a = 1;\n',
      'src/channel/b.ts': 'export const b = 1;\n',
      'shakedown/boundaries.yaml': `folders: [src/*]\nboundaries:\n${entry('gateway')}${entry('channel')}`,
      'trials/gateway.trial.yaml': soundTrial('gateway', 'attacks: { boundary: gateway, tier: 1 }'),
      'trials/channel.trial.yaml': soundTrial('channel', 'attacks: { boundary: channel, tier: 1 }'),
    },
    'boundaries: shakedown/boundaries.yaml\n',
  );
  git(project.folder, 'init', '--quiet');
  commit(project.folder);
  return project;
}

function git(folder: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe' });
}

function commit(folder: string): void {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'a step');
}

test('a change without trial and note, with one of them, and with both', async () => {
  const project = repository();
  const write = (name: string, text: string) => writeFileSync(path.join(project.folder, name), text);
  expect(await lintJson(project, ['--since', 'HEAD'])).toMatchObject({
    code: 0,
    findings: [],
    json: { changed: [] },
  });

  write('src/gateway/new.ts', 'export const fresh = 1;\n');
  rmSync(path.join(project.folder, 'src/channel/b.ts'));
  write('src/channel/c.ts', '');
  commit(project.folder);
  const bare = await lintJson(project, ['--since', 'HEAD~1']);
  expect(bare.code).toBe(6);
  expect(bare.shown).toEqual([
    'changed-without-trial shakedown/boundaries.yaml:3',
    'changed-without-note shakedown/boundaries.yaml:3',
    'changed-without-trial shakedown/boundaries.yaml:12',
    'changed-without-note shakedown/boundaries.yaml:12',
  ]);
  expect(bare.findings[2]?.text).toContain('src/channel/b.ts, src/channel/c.ts');

  appendFileSync(path.join(project.folder, 'trials/gateway.trial.yaml'), 'tags: [new]\n');
  write(
    'shakedown/boundaries.yaml',
    `folders: [src/*]\nboundaries:\n${entry('gateway', 'refused by name')}${entry('channel')}`,
  );
  const half = await lintJson(project, ['--since', 'HEAD~1']);
  expect(half.json.changed).toEqual(['gateway', 'channel']);
  expect(half.shown).toEqual([
    'changed-without-trial shakedown/boundaries.yaml:12',
    'changed-without-note shakedown/boundaries.yaml:12',
  ]);
});

test('a file that is not committed counts, and so does one that git does not know yet', async () => {
  const project = repository();
  writeFileSync(path.join(project.folder, 'src/gateway/untracked.ts'), '');
  const { shown } = await lintJson(project, ['--since', 'HEAD']);
  expect(shown).toEqual([
    'changed-without-trial shakedown/boundaries.yaml:3',
    'changed-without-note shakedown/boundaries.yaml:3',
  ]);
});

test('what git does not know is an error, never "all fine"', async () => {
  const project = repository();
  const unknown = await project.run(['lint', '--since', 'origin/main']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toMatch(
    /error\[git\.unknown-revision\][\s\S]*what .*"origin\/main"[\s\S]*allowed[\s\S]*next/,
  );
  writeFileSync(path.join(project.folder, 'src/gateway/a.ts'), '// newer\n');
  commit(project.folder);

  const shallow = lintProject({});
  git(shallow.folder, 'clone', '--quiet', '--depth', '1', `file://${project.folder}`, 'clone');
  const cut = await shallow.run(['lint', '--config', 'clone/shakedown.yaml', '--since', 'HEAD~1']);
  expect(cut.code).toBe(2);
  expect(cut.stderr).toMatch(/error\[git\.shallow\][\s\S]*git fetch --unshallow/);

  const outside = lintProject(
    { 'src/a.ts': '', 'shakedown/boundaries.yaml': `boundaries:\n${entry('gateway')}` },
    'boundaries: shakedown/boundaries.yaml\n',
  );
  const none = await outside.run(['lint', '--since', 'HEAD'], {
    env: { GIT_CEILING_DIRECTORIES: path.dirname(outside.folder) },
  });
  expect(none.code).toBe(2);
  expect(none.stderr).toMatch(/error\[git\.not-found\]/);
  const noGit = await project.run(['lint', '--since', 'HEAD'], { env: { PATH: '/nowhere' } });
  expect(noGit.code).toBe(2);
  expect(noGit.stderr).toMatch(/error\[git\.not-found\][\s\S]*git is not installed/);
});

test('without a registry there is nothing to compare a change with', async () => {
  const { code, stderr } = await lintProject({ 'trials/web.trial.yaml': soundTrial('web') }).run([
    ...['lint', '--since', 'HEAD'],
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/error\[usage\.bad-value\] --since HEAD[\s\S]*no registry of boundaries/);
});
