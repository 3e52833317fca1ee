/** The example of a compose file: its containers and what stands in for them pass the same trials, and its defects do not. */
import { cpSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { makeProject, type Project } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';
import { runCommand } from './harness/run-command.ts';
import { nothing } from './harness/until.ts';

const examples = path.join(projectFolder, 'examples');
const withinMs = 220_000;

/** In a folder of its own, beside the Python that it shares with another example. */
function digest(): Project {
  const project = makeProject({});
  cpSync(path.join(examples, 'compose'), project.folder, {
    recursive: true,
    filter: (file) => !file.includes('.shakedown'),
  });
  symlinkSync(path.join(examples, 'desk'), path.join(path.dirname(project.folder), 'desk'));
  return project;
}

/** Stand-ins for images that are not there; they are removed again, and nobody else's are. */
async function withImages(work: (project: Project) => Promise<void>): Promise<void> {
  needs('linux', 'docker', 'redis-server', 'python3');
  const project = digest();
  const images = (...words: readonly string[]) =>
    runCommand([path.join(project.folder, 'images.sh'), ...words], { cwd: project.folder, withinMs });
  const made = await images();
  expect(made.code, made.output).toBe(0);
  try {
    await work(project);
  } finally {
    if (made.stdout.includes('is a stand-in now')) await images('remove');
  }
}

test('from the compose file alone: healthy twice, and red with a defect of the migration', async () => {
  await withImages(async (project) => {
    const healthy = await project.run(['run', '--repeat', '2', '--shuffle'], { withinMs });
    expect(healthy.code, healthy.output).toBe(0);
    // The others: `npm run defects -- compose-containers`.
    const DEFECT = 'index-forgotten';
    const { code, output } = await project.run(['run', '--bail'], { env: { DEFECT }, withinMs });
    expect(code, output).toBe(1);
    expect(project.left()).toEqual(nothing);
  });
}, 600_000);

test('replaced: without a container', async () => {
  needs('redis-server', 'python3');
  const project = digest();
  const config = ['--config', 'replaced.config.ts'];
  const healthy = await project.run(['run', ...config, '--repeat', '2', '--shuffle'], { withinMs });
  expect(healthy.code, healthy.output).toBe(0);
  const { code, output } = await project.run(['run', ...config, '--bail'], {
    env: { DEFECT: 'searches-all-teams', DOCKER_HOST: 'unix:///nowhere/engine.sock' },
    withinMs,
  });
  expect(code, output).toBe(1);
  expect(project.left()).toEqual(nothing);
}, 600_000);
