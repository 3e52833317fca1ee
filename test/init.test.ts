import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cannotRun, needs } from './harness/needs.ts';
import { binary, makeProject, type Project } from './harness/project.ts';
import { runCommand } from './harness/run-command.ts';
import { nothing } from './harness/until.ts';

const written = [
  'README.md',
  'check.mjs',
  'first-guest.mjs',
  'greeter.mjs',
  'ledger.mjs',
  'shakedown.yaml',
  'trials/first.trial.yaml',
];

async function initialised(): Promise<Project> {
  const project = makeProject({});
  const { code, output } = await project.run(['init']);
  expect(code, output).toBe(0);
  return project;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Changes one place of a file that `init` wrote. */
function change(project: Project, name: string, from: string, to: string): void {
  const file = path.join(project.folder, name);
  const before = readFileSync(file, 'utf8');
  const after = before.replaceAll(from, to);
  expect(after, `${name} holds ${from}`).not.toBe(before);
  writeFileSync(file, after);
}

test('init writes a project into a new folder, lists every file, and prints the next step', async () => {
  const project = makeProject({});
  const { code, stdout, stderr } = await project.run(['init', 'my voyage']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(filesIn(path.join(project.folder, 'my voyage'))).toEqual(written);
  for (const name of written) expect(stdout).toContain(`wrote my voyage/${name}\n`);
  expect(stdout).toContain("next: cd 'my voyage' && shakedown run\n");
});

test('init --json gives the files as data', async () => {
  const { code, stdout } = await makeProject({}).run(['init', '--json']);
  expect(code).toBe(0);
  const answer = JSON.parse(stdout) as { written: string[] };
  expect(answer.written.sort()).toEqual(written);
});

test('init changes nothing where a file of the same name exists, and names it', async () => {
  const project = makeProject({ 'README.md': 'mine', 'ledger.mjs': 'mine too' });
  const before = readdirSync(project.folder);
  const { code, stderr } = await project.run(['init']);
  expect(code).toBe(2);
  expect(stderr).toContain(`error[usage.not-empty] ${project.folder}`);
  expect(stderr).toContain('what     these exist already: ledger.mjs, README.md\n');
  expect(stderr).toContain('next     give the name of a new folder: shakedown init my-system');
  expect(readdirSync(project.folder)).toEqual(before);
  expect(readFileSync(path.join(project.folder, 'README.md'), 'utf8')).toBe('mine');
});

test('init does not write a second config', async () => {
  const project = makeProject({ 'shakedown.config.ts': 'export default {}' });
  const { code, stderr } = await project.run(['init']);
  expect(code).toBe(2);
  expect(stderr).toContain('these exist already: shakedown.config.ts');
});

test('init does not take a file for a folder', async () => {
  const project = makeProject({ notes: '' });
  const { code, stderr } = await project.run(['init', 'notes/voyage']);
  expect(code).toBe(2);
  expect(stderr).toContain('error[usage.bad-value]');
  expect(stderr).toContain('there is a file where the folder should be');
});

test('init leaves existing trials alone', async () => {
  const mine = makeProject({ 'trials/first.trial.yaml': 'mine' });
  const refused = await mine.run(['init']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('what     these exist already: trials/first.trial.yaml\n');

  const beside = makeProject({ 'trials/other.trial.yaml': 'mine' });
  expect((await beside.run(['init'])).code).toBe(0);
  expect(filesIn(path.join(beside.folder, 'trials'))).toEqual(['first.trial.yaml', 'other.trial.yaml']);

  const file = makeProject({ trials: 'a file, not a folder' });
  const before = filesIn(file.folder);
  const stopped = await file.run(['init']);
  expect(stopped.code, stopped.output).toBe(2);
  expect(stopped.stderr).toContain(`error[usage.bad-value] ${path.join(file.folder, 'trials')}\n`);
  expect(filesIn(file.folder)).toEqual(before);
});

test('a disk that fills up half-way leaves no partial project', async () => {
  needs('linux');
  const project = makeProject({});
  const disk = path.join(project.folder, 'small-disk');
  mkdirSync(disk);
  const script =
    'mount -t tmpfs -o size=8k none "$1" || exit 99; "$2" "$3" init "$1"; echo "code $?"; ls -A "$1"';
  const { code, output } = await runCommand(
    [
      'unshare',
      '--user',
      '--map-root-user',
      '--mount',
      'sh',
      '-c',
      script,
      'sh',
      disk,
      process.execPath,
      binary,
    ],
    { cwd: project.folder },
  );
  if (!output.includes('code '))
    cannotRun(`needs a disk of its own, and the machine gave ${code}: ${output}`, 'allow user namespaces');
  expect(output).toContain('error[world.disk-full]');
  expect(output.endsWith('code 3\n'), output).toBe(true);
});

test('lint has no findings on the project, also with its database enabled', async () => {
  const project = await initialised();
  const plain = await project.run(['lint']);
  expect(plain.output).toContain('hello is well-formed: 0 resources, 1 jobs, 2 services, 1 trials\n');
  for (const line of ['resources:', '  db:', '    kind: postgres'])
    change(project, 'shakedown.yaml', `# ${line}`, line);
  change(
    project,
    'shakedown.yaml',
    '      LEDGER_FILE:',
    '      DATABASE_URL: "${db.url}"\n      LEDGER_FILE:',
  );
  const withDatabase = await project.run(['lint']);
  expect(withDatabase.output).toContain('hello is well-formed: 1 resources, 1 jobs, 2 services, 1 trials\n');
});

test('the project boots, passes its own test, and leaves nothing behind', async () => {
  const project = await initialised();
  // Nothing but the files themselves: no package.json, no dependencies.
  rmSync(path.join(project.folder, 'services'), { recursive: true });
  const { code, output } = await project.run(['up', '--', 'node', 'check.mjs']);
  expect(output).toContain('Hello Ada, you are guest number 2.\n');
  expect(code, output).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test('its first trial passes, again and again, and leaves nothing behind', async () => {
  const project = await initialised();
  rmSync(path.join(project.folder, 'services'), { recursive: true });
  const { code, output } = await project.run(['run', '--repeat', '2']);
  expect(output).toMatch(/^✓ first \(2 of 2\) /m);
  expect(code, output).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test.each([
  ['greeter.mjs', 'guests.length', 'guests.lenght', 'counted'],
  ['greeter.mjs', 'await answer.json()', "await (await fetch(ledger + '/guests')).json()", 'passed-on'],
  ['ledger.mjs', "name.replaceAll('\\n', ' ') + '\\n'", "name.toUpperCase() + '\\n'", 'written-down'],
])('its first trial can fail: %s with %s as %s', async (file, from, to, check) => {
  const project = await initialised();
  change(project, file, from, to);
  const { code, output } = await project.run(['run']);
  expect(output).toContain(`  ✗ ${check} (line `);
  expect(code, output).toBe(1);
});

test('the test of the project can fail', async () => {
  const project = await initialised();
  change(project, 'greeter.mjs', 'guests.length', 'guests.lenght');
  const { code, output } = await project.run(['up', '--', 'node', 'check.mjs']);
  expect(output).toContain('got "Hello Ada, you are guest number undefined."');
  expect(code, output).toBe(1);
});
