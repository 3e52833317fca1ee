import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { nothing } from './harness/until.ts';

test('a child of a wrapper has the same time to stop as the wrapper', async () => {
  const finish =
    "process.on('SIGTERM', () => setTimeout(() => { console.log('flushed'); process.exit(0); }, 300)); console.log('up'); setInterval(() => {}, 1000);";
  const project = makeProject({
    'shakedown.yaml':
      'name: wrapped\nservices: { web: { run: [sh, -c, "node finish.mjs & wait"], ready: { log: up }, stop: { within: 5s } } }\n',
    'finish.mjs': finish,
  });
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(0);
  expect(readFileSync(path.join(project.folder, '.shakedown/latest/services/web.log'), 'utf8')).toContain(
    'flushed',
  );
});

test('a second Ctrl-C forces the stop', async () => {
  const project = makeProject({
    'shakedown.yaml':
      'name: deaf\nservices: { web: { run: [node, services/ignores-sigterm.mjs], listen: { env: PORT }, stop: { within: 10m } } }\n',
  });
  const up = startRunning(project, ['up']);
  await up.says('Held open');
  up.child.kill('SIGINT');
  await up.says('taking everything down');
  up.child.kill('SIGINT');
  expect(await up.ended).toBe(130);
  expect(project.left()).toEqual(nothing);
});

test('a command that ignores signals does not block forever', async () => {
  const project = makeProject({
    'shakedown.yaml': 'name: held\nservices: { web: { run: [sleep, "600"] } }\n',
  });
  const up = startRunning(project, ['up', '--', 'sh', '-c', "trap '' TERM INT; while :; do sleep 1; done"]);
  await up.says('running: sh -c');
  up.child.kill('SIGTERM');
  expect(await up.ended).toBe(143);
  expect(project.left()).toEqual(nothing);
});

test('a reader that closes the output is not an error', async () => {
  const project = makeProject({
    'shakedown.yaml': 'name: chatty\nservices: { web: { run: [node, services/never-ready.mjs] } }\n',
  });
  await project.run(['up', '--detach']);
  const logs = project.start(['logs', '-f']);
  let stderr = '';
  logs.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  logs.stdout?.once('data', () => logs.stdout?.destroy());
  expect(await new Promise((resolve) => logs.on('exit', resolve))).toBe(0);
  expect(stderr).toBe('');
  await project.run(['down']);
});

test('a missing program is reported before anything boots', async () => {
  const project = makeProject({
    'shakedown.yaml': 'name: held\nservices: { web: { run: [sleep, "600"] } }\n',
  });
  const result = await project.run(['up', '--', 'no-such-test-runner']);
  expect(result.code).toBe(3);
  expect(result.stderr).toContain('error[world.missing-binary] the command after --');
  expect(result.stdout).not.toContain('booting');
});

test('a failed boot prints the complete command to repeat it', async () => {
  const project = makeProject({
    'other.yaml':
      'name: broken\nmatrix: { mode: [a, b] }\nservices: { web: { run: [node, services/exits-at-once.mjs] , ready: { log: never } } }\n',
  });
  const result = await project.run([
    'up',
    '--config',
    'other.yaml',
    '--variant',
    'mode=b',
    '--',
    'echo',
    'a b',
  ]);
  expect(result.stderr).toMatch(
    /again: {4}shakedown up --config other\.yaml --variant mode=b --seed \w+ -- echo 'a b'/,
  );
});
