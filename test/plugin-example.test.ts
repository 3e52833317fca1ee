/** The example with kinds in Python: it works from outside of the source tree, and each of its defects turns it red. */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { defects } from '../examples/plugin/src/defects.ts';
import { needs } from './harness/needs.ts';
import { makeProject, type Project } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';
import { runCommand } from './harness/run-command.ts';
import { nothing } from './harness/until.ts';

function exampleProject(): Project {
  const project = makeProject({});
  cpSync(path.join(projectFolder, 'examples/plugin'), project.folder, { recursive: true });
  return project;
}

test('healthy: it passes, shuffled, its plugin conforms, and every check can fail', async () => {
  needs('python3');
  const project = exampleProject();
  const run = await project.run(['run', '--repeat', '2', '--shuffle']);
  expect(run.code, run.output).toBe(0);
  const conformance = await project.run(['conformance', 'redis']);
  expect(conformance.code, conformance.output).toBe(0);
  const sabotage = await project.run(['sabotage', '--json']);
  expect(JSON.parse(sabotage.stdout), sabotage.output).toMatchObject({ vitality: 1 });
  expect(project.left()).toEqual(nothing);
});

test('an error that is not JSON is a failure of the plugin, and is answered', async () => {
  needs('python3');
  const project = makeProject({
    'odd.py': `from shakedown_plugin import Plugin, StepError
plugin = Plugin()
@plugin.step("bytes")
def as_bytes(request): raise StepError("no", evidence={"raw": b"x"})
@plugin.step("surrogate")
def surrogate(request): raise ValueError(b"\\xff".decode("utf-8", "surrogateescape"))
plugin.run()
`,
  });
  const asked = ['bytes', 'surrogate'].map((kind, id) => JSON.stringify({ id, do: 'start', kind, step: {} }));
  const { code, stdout } = await runCommand(
    ['sh', '-c', `{ printf '%s\\n' "$@"; sleep 1; } | python3 odd.py`, 'sh', ...asked],
    {
      cwd: project.folder,
      env: { PYTHONPATH: path.join(projectFolder, 'python'), PYTHONDONTWRITEBYTECODE: '1' },
      withinMs: 20_000,
    },
  );
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([code, answers.map(({ error }) => error.kind)]).toEqual([0, ['plugin-failed', 'plugin-failed']]);
});

test.each(defects.map(({ name }) => name))('%s turns it red', async (name) => {
  needs('python3');
  const project = exampleProject();
  const { code, output } = await project.run(['run', '--bail'], { env: { DEFECT: name } });
  expect(code, output).toBe(1);
  expect(project.left()).toEqual(nothing);
});
