/** Services that are containers: they belong to an engine that does not end them when their client is killed. */
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { makeProject, type Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { nothing, until } from './harness/until.ts';

/** As the first process of a container, `sleep` ignores SIGTERM. */
const program = `/bin/sh, -c, 'echo up; exec /bin/sleep 600'`;

/** A system whose one service is a container, with an image of the test's own that holds a shell and `sleep`. */
function containerProject(
  options: string,
  says = 'up',
): { readonly project: Project; readonly image: string } {
  needs('linux', 'docker');
  const image = `shakedown-test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  const files = 'tar -chP $(ldd /bin/sh /bin/sleep | grep -o "/[^ :]*" | sort -u)';
  execFileSync('sh', ['-c', `${files} 2>/dev/null | docker import - ${image}`], { stdio: 'ignore' });
  onTestFinished(() => {
    for (const id of containersOf(image)) spawnSync('docker', ['rm', '--force', id]);
    spawnSync('docker', ['rmi', image]);
  });
  const run = `[docker, run, ${options}, ${image}, ${program}]`;
  const project = makeProject({
    'shakedown.yaml': `name: boxed\nservices: { box: { run: ${run}, ready: { log: ${says}, within: 5s }, stop: { within: 500ms } } }\n`,
  });
  return { project, image };
}

/** All of them, also those that have ended. */
function containersOf(image: string): readonly string[] {
  const ids = execFileSync('docker', ['ps', '--all', '--quiet', '--filter', `ancestor=${image}`]);
  return ids.toString().split('\n').filter(Boolean);
}

const named = "--rm, --name, 'shakedown-${environment.id}'";

test.each(['namespace', 'ledger'])(
  'a container with a name goes with its service (%s)',
  async (containment) => {
    const { project, image } = containerProject(named);
    const result = await project.run(['up', '--containment', containment, '--', 'true']);
    expect(result.code, result.output).toBe(0);
    expect(containersOf(image)).toEqual([]);
    expect(project.left()).toEqual(nothing);
  },
);

test('a container with a name goes when the keeper is killed', async () => {
  const { project, image } = containerProject(named);
  const up = startRunning(project, ['up']);
  await up.says('Held open');
  expect(containersOf(image)).toHaveLength(1);
  const { keeper } = JSON.parse((await project.run(['status', '--json'])).stdout);
  process.kill(keeper.pid, 'SIGKILL');
  await up.ended;
  await until(
    'it is gone',
    10_000,
    () => containersOf(image),
    (ids) => ids.length === 0,
  );
});

test('for a container without a name, the report says where to look', async () => {
  const { project, image } = containerProject('--rm');
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(7);
  const [id = 'none'] = containersOf(image);
  expect(result.stderr).toContain('error[left.behind] teardown, service box');
  expect(result.stderr).toContain(`container ${id} of image ${image}; remove it: docker rm --force ${id}`);
  expect(result.stderr).toContain('--name shakedown-${environment.id}');
});

test('one without a name that was never ready: both are reported', async () => {
  const { project, image } = containerProject('--rm', 'never');
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('error[boot.never-ready] service box');
  expect(result.stderr).toContain(`container ${containersOf(image)[0]} of image ${image}`);
});

test('a container that already had the name is left alone', async () => {
  const name = `shakedown-test-${path.basename(process.cwd())}-${process.pid}`;
  const { project, image } = containerProject(`--rm, --name, ${name}`);
  execFileSync('docker', ['run', '--detach', '--name', name, image, '/bin/sleep', '600']);
  const madeAt = Date.now();
  await until(
    'it is older than clocks may differ',
    5_000,
    () => Date.now() - madeAt,
    (age) => age > 1_000,
  );
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('already in use');
  expect(containersOf(image)).toHaveLength(1);
  expect(project.left()).toEqual(nothing);
});
