/** `run --watch` runs again after a change, reports invalid files, and settles. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { binary } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { trialsProject } from './harness/trials-project.ts';
import { nothing, until } from './harness/until.ts';

const waiting = 'waiting for a change';

test('a changed trial is run again, an invalid one is reported until it is corrected, and Ctrl-C ends it', async () => {
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

test('files that the system itself writes beside its config do not trigger runs forever', async () => {
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

test('the file behind its own output does not trigger runs', async () => {
  const project = trialsProject(
    'services:\n  web: { run: [node, services/answers.mjs], listen: { env: PORT } }',
    { first: 'steps: [{ http: GET web/, expect: { status: 200 } }]' },
  );
  const log = path.join(project.folder, 'watch.log');
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, [binary, 'run', '--watch'], {
    cwd: project.folder,
    env: { ...process.env, ...project.env, NO_COLOR: '1' },
    stdio: ['ignore', output, output],
  });
  const ended = once(child, 'exit');
  const says = (words: string) =>
    until(
      `it says ${words}`,
      20_000,
      () => readFileSync(log, 'utf8'),
      (text) => text.includes(words),
    );
  await says(waiting);
  // A change after its own: earlier writes have been noticed by now.
  writeFileSync(path.join(project.folder, 'notes.md'), '');
  await says('notes.md changed');
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  closeSync(output);
  expect(readFileSync(log, 'utf8')).not.toContain('watch.log changed');
});

test('caches and files that git ignores do not trigger runs', async () => {
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
