/** Untrusted output never controls the terminal of the reader. */
import { openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { binary, makeProject, type Project } from './harness/project.ts';
import { runCommand } from './harness/run-command.ts';

const evil = '\u001b]0;title\u0007\u001b[2J\u001b[8mhidden\u009b1A\u007f\u202egnp.exe\rover';
// Newlines, tabs and nothing else below 0x20.
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const seen = '\\u001b]0;title\\u0007\\u001b[2Jhidden\\u009b1A\\u007f\\u202egnp.exe\\u000dover';

const spits = `process.stdout.write(${JSON.stringify(`${evil}\n`)});`;
const quiet = 'name: example\nservices: { web: { run: [node, spits.mjs], ready: { log: over } } }\n';

function spittingProject(config = quiet, more = 'setInterval(() => {}, 1000);'): Project {
  return makeProject({ 'shakedown.yaml': config, 'spits.mjs': `${spits}${more}` });
}

/** The binary on its own terminal. */
async function onTerminal(project: Project, ...words: readonly string[]): Promise<string> {
  needs('script');
  const command = [process.execPath, binary, ...words].map((word) => `'${word}'`).join(' ');
  const { output } = await runCommand(['script', '-qec', command, '/dev/null'], {
    cwd: project.folder,
    env: { ...project.env, NO_COLOR: undefined, TERM: 'xterm-256color' },
  });
  return output.replaceAll('\r\n', '\n');
}

test('on a terminal, logs are printed with our own colours only', async () => {
  const project = spittingProject();
  expect((await project.run(['up', '--', 'true'])).code).toBe(0);
  const shown = await onTerminal(project, 'logs');
  expect(shown).toContain(seen);
  expect(shown).toContain('\u001b[36mweb\u001b[39m | ');
  expect(shown.replaceAll(/\u001b\[(?:36|39)m/g, '')).not.toMatch(steering);
  const { stdout } = await project.run(['logs', '--json']);
  expect(stdout).not.toMatch(steering);
  expect(JSON.parse(stdout)).toEqual({ service: 'web', line: evil });
});

test('a live view moves the cursor, a failed boot does not', async () => {
  const project = spittingProject(quiet.replace('log: over', 'log: never'), 'process.exit(1);');
  const shown = await onTerminal(project, 'up');
  expect(shown).toContain(seen);
  const ours = /\u001b\[(?:\d+A|[JK]|[12]m|3[1236]m|39m|22m)|\r/g;
  expect(shown.replaceAll(ours, '')).not.toMatch(steering);
});

test.each([
  ['an unknown verb', [`${evil}`]],
  ['an unknown option', ['up', `--${evil}`]],
  ['a bad value', ['logs', '--tail', evil]],
  ['a config that is not there', ['lint', '--config', `${evil}.yaml`]],
  ['a config that is wrong', ['lint']],
  ['a config that is wrong, under doctor', ['doctor']],
  ['a config that is wrong, for programs', ['lint', '--json']],
])('%s', async (_, words) => {
  const key = JSON.stringify(evil).replaceAll('\u202e', '\\u202e');
  const project = spittingProject(
    `name: example\n${key}: 1\nservices: { web: { run: [node, x], ${key}: "\u202e" } }\n`,
  );
  const { output } = await project.run(words);
  expect(output).toContain('title');
  expect(output).not.toMatch(steering);
});

test('a long text arrives whole through a pipe', async () => {
  const many = Array.from({ length: 4_000 }, (_, index) => `  s${index}: { ruun: [node] }`).join('\n');
  const project = makeProject({ 'shakedown.yaml': `name: example\nservices:\n${many}\n` });
  const { stderr } = await project.run(['lint']);
  expect(stderr.length).toBeGreaterThan(200_000);
  expect(stderr).toContain('s3999');
});

test('a line of 100 MB is cut, and the number of omitted bytes is shown', async () => {
  const project = spittingProject();
  expect((await project.run(['up', '--', 'true'])).code).toBe(0);
  const log = path.join(project.folder, '.shakedown/latest/services/web.log');
  writeFileSync(log, '');
  const descriptor = openSync(log, 'a');
  for (let megabyte = 0; megabyte < 100; megabyte += 1) writeSync(descriptor, Buffer.alloc(1024 * 1024, 'a'));
  writeSync(descriptor, '\nthe next\n');
  const limited = [process.execPath, '--max-old-space-size=64', binary, 'logs'];
  const { code, stdout, stderr } = await runCommand(limited, { cwd: project.folder, env: project.env });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.length).toBeLessThan(2 * 1024 * 1024);
  expect(stdout).toMatch(/aaa… 103809024 bytes more, in .*web\.log\n/);
  expect(stdout).toContain('web | the next\n');
});
