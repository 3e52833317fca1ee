import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject, type Project } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';

/** The example, in a folder of its own beside the packages that it uses. */
function butlers(): Project {
  const project = makeProject({});
  const example = path.join(projectFolder, 'examples/butlers');
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

const send = (message: string): readonly string[] => [
  'up',
  '--',
  'env',
  'DATABASE_URL=${db.url}',
  'SWITCHBOARD_URL=${switchboard.url}',
  'node',
  'send.ts',
  message,
];

test('a message goes through switchboard, butler and tool, and ends as a row', async () => {
  const result = await butlers().run(send('I have a bad headache, severity 7'));
  expect(result.code, result.output).toBe(0);
  expect(result.stdout).toMatch(/health\.symptoms\n.*name .*severity[\s\S]*headache\s+7\b/);
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

test('a folder more in the roster is a butler more', async () => {
  const project = butlers();
  const copy = path.join(project.folder, 'roster/scribe');
  cpSync(path.join(project.folder, 'roster/general'), copy, { recursive: true });
  const manifest = path.join(copy, 'butler.toml');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/name = "general"/, 'name = "scribe"'));
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(0);
  expect(result.stdout).toMatch(/service {3}scribe +ready/);
});
