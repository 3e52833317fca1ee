import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freePorts } from '../bench/boot/free-ports.ts';
import { makeProject, type Project } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';
import { runCommand } from './harness/run-command.ts';
import { performTrials } from './harness/trials-project.ts';

const example = path.join(projectFolder, 'examples/butlers');

/** The example, in a folder of its own beside the packages that it uses. */
function butlers(): Project {
  const project = makeProject({});
  cpSync(example, project.folder, { recursive: true, filter: (file) => !file.includes('.shakedown') });
  // What it imports (the MCP SDK, pg) is found from here as it is in the repository.
  writeFileSync(path.join(project.folder, 'package.json'), '{"type":"module"}');
  mkdirSync(path.join(project.folder, 'node_modules'), { recursive: true });
  for (const name of ['@modelcontextprotocol', 'pg', 'smol-toml', 'zod', 'shakedown']) link(project, name);
  return project;
}

function link(project: Project, name: string): void {
  const target = name === 'shakedown' ? projectFolder : path.join(projectFolder, 'node_modules', name);
  symlinkSync(target, path.join(project.folder, 'node_modules', name));
}

test('a message goes through switchboard, butler and tool as its script says, and its cost is reported', async () => {
  const run = await performTrials(butlers(), 'butlers/headache');
  expect(run.code, run.text).toBe(0);
  const { costUsd, tokens } = run.trial('butlers/headache');
  expect(costUsd).toBeCloseTo(0.00315, 6);
  expect(tokens).toEqual({ input: 2_520, output: 126 });
});

test('modules without credentials are off and say so; the butler works', async () => {
  const project = butlers();
  const ask =
    "fetch(process.argv[1] + '/health').then((r) => r.json()).then((health) => console.log(JSON.stringify(health)))";
  const result = await project.run(['up', '--', 'node', '-e', ask, '${relationship.url}']);
  expect(result.code, result.output).toBe(0);
  const health = JSON.parse(/^\{"status".*\}$/m.exec(result.stdout)?.[0] ?? '{}');
  expect(health.status).toBe('degraded');
  const log = readFileSync(path.join(project.folder, '.shakedown/latest/services/relationship.log'), 'utf8');
  expect(log).toMatch(/WARN module \w+ is off: [A-Z_]+ is not set/);
});

test('the folder that the README adds to the roster is one more butler, with trials of its own', async () => {
  const project = butlers();
  const readme = readFileSync(path.join(example, 'README.md'), 'utf8');
  const garden = path.join(project.folder, 'roster/garden');
  mkdirSync(path.join(garden, 'migrations'), { recursive: true });
  writeFileSync(path.join(garden, 'butler.toml'), blockOf(readme, 'toml'));
  writeFileSync(path.join(garden, 'migrations/001_waterings.sql'), blockOf(readme, 'sql'));
  const run = await performTrials(project, 'butlers/roster-messages[garden]', 'butlers/roster[garden]');
  expect(run.code, run.text).toBe(0);
  expect(run.verdict.counts.passed).toBe(2);
});

function blockOf(markdown: string, language: string): string {
  return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(markdown)?.[1] ?? '';
}

test('started by hand, a message becomes a row, too', async () => {
  const message = 'I have a bad headache, severity 7';
  const result = await runCommand([path.join(example, 'start-by-hand.sh'), 'node', 'send.ts', message], {
    cwd: example,
    env: { BASE_PORT: String(await freePorts(8)) },
  });
  expect(result.code, result.output).toBe(0);
  expect(result.stdout).toMatch(/health\.symptoms\n.*name .*severity[\s\S]*headache\s+7\b/);
});
