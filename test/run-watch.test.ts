/** `run --watch` performs again after a change, tells what is broken meanwhile, and comes to rest. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startRunning } from './harness/running.ts';
import { trialsProject } from './harness/trials-project.ts';
import { nothing, until } from './harness/until.ts';

const waiting = 'waiting for a change';

test('a changed trial is performed again, a broken one told and corrected, and Ctrl-C ends it', async () => {
  const project = trialsProject(
    'services:\n  web: { run: [node, services/answers.mjs], listen: { env: PORT } }',
    { first: 'steps: [{ http: GET web/, expect: { status: 200 } }]' },
  );
  const write = (text: string): void =>
    writeFileSync(path.join(project.folder, 'trials/first.trial.yaml'), text);
  const running = startRunning(project, ['run', '--watch']);
  const rests = (times: number): Promise<number> =>
    until(
      `it waits for the ${times}. time`,
      20_000,
      () => running.text().split(waiting).length - 1,
      (seen) => seen >= times,
    );
  await rests(1);
  expect(running.text()).toContain('✓ first');
  write('id: first\nsteps: [{ htpp: GET web/ }]\n');
  await rests(2);
  expect(running.text()).toContain('first.trial.yaml changed');
  expect(running.text()).toContain('error[trial.unknown-kind]');
  write('id: second\nsteps: [{ http: GET web/, expect: { status: 404 } }]\n');
  await rests(3);
  expect(running.text()).toContain('✗ second  failed');
  running.child.kill('SIGINT');
  expect(await running.ended, running.text()).toBe(130);
  expect(project.left()).toEqual(nothing);
}, 90_000);

test('what the system itself writes beside its config, run after run, does not keep it going for ever', async () => {
  const project = trialsProject(
    'services:\n  hall: { run: [node, writes.mjs], listen: { env: PORT }, env: { PLACE: "${config.dir}" } }',
    { counts: 'steps: [{ http: GET hall/turn?of=it, expect: { status: { $any: [200, 500] } } }]' },
    {
      'writes.mjs': `import { writeFileSync } from 'node:fs';
writeFileSync(process.env.PLACE + '/app-' + Date.now() + '.log', 'started');
await import('./services/meets-others.mjs');
`,
    },
  );
  const running = startRunning(project, ['run', '--watch']);
  await running.says(waiting);
  expect(running.text()).toMatch(/(?:turn-it|app-\d+\.log) changed/);
  running.child.kill('SIGTERM');
  expect(await running.ended, running.text()).toBe(143);
  expect(project.left()).toEqual(nothing);
});

test('caches, and what git ignores, are nobody’s edits', async () => {
  const project = trialsProject(
    `services:
  web: { run: [node, writes.mjs], listen: { env: PORT }, env: { PLACE: "\${config.dir}" } }`,
    { first: 'steps: [{ http: GET web/, expect: { status: 200 } }]' },
    {
      '.gitignore': 'out/\n*.log\n',
      'out/old.txt': '',
      '__pycache__/a.pyc': '',
      'writes.mjs': `import { writeFileSync } from 'node:fs';
for (const name of ['out/new.txt', 'noise.log', '__pycache__/b.pyc']) writeFileSync(process.env.PLACE + '/' + name, String(Date.now()));
await import('./services/answers.mjs');
`,
    },
  );
  execFileSync('git', ['init', '-q'], { cwd: project.folder });
  const running = startRunning(project, ['run', '--watch']);
  await running.says(waiting);
  expect(running.text()).not.toContain('changed');
  writeFileSync(path.join(project.folder, 'later.log'), '');
  writeFileSync(path.join(project.folder, 'out/later.txt'), '');
  writeFileSync(path.join(project.folder, 'notes.md'), '');
  await running.says('notes.md changed');
  expect(running.text()).not.toMatch(/(?:later|noise|out|pycache)\S* changed/);
  running.child.kill('SIGINT');
  expect(await running.ended, running.text()).toBe(130);
});
