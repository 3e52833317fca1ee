/** Services that are containers: they belong to an engine that does not end them when their client is killed. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { containersOf, shellImage } from './harness/container-image.ts';
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
  const image = shellImage();
  const run = `[docker, run, ${options}, ${image}, ${program}]`;
  return { project: projectOf(run, says), image };
}

function projectOf(run: string, says = 'up'): Project {
  const within = says === 'up' ? '50s' : '8s';
  return makeProject({
    'shakedown.yaml': `name: boxed\nservices: { box: { run: ${run}, ready: { log: ${says}, within: ${within} }, stop: { within: 500ms } } }\n`,
  });
}

/** A name that others may use as well. */
function fixedName(): string {
  return `shakedown-test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
}

/** A service that makes its container once the file `go` is there. */
function lateProject(name: string, image: string): Project {
  const wait = 'echo up; until [ -e go ]; do sleep 0.05; done';
  return projectOf(`'${wait}; exec docker run --rm --name ${name} ${image} /bin/sleep 600'`);
}

/** Lets the late client run into the name that is in use. */
async function refuse(project: Project): Promise<void> {
  writeFileSync(path.join(project.folder, 'go'), '');
  await until(
    'it is refused',
    20_000,
    async () => (await project.run(['logs', 'box'])).output,
    (output) => output.includes('already in use'),
  );
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

test('beside one without a name, those with a name of their own are not named as left behind', async () => {
  const { image } = containerProject('--rm');
  const service = (options: string): string =>
    `{ run: [docker, run, ${options}, ${image}, ${program}], ready: { log: up, within: 50s }, stop: { within: 500ms } }`;
  const services = `{ box: ${service('--rm')}, a: ${service(`--name, 'shakedown-\${environment.id}-a'`)}, b: ${service(`--name, 'shakedown-\${environment.id}-b'`)} }`;
  const project = makeProject({ 'shakedown.yaml': `name: boxed\nservices: ${services}\n` });
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(7);
  expect(containersOf(image)).toHaveLength(1);
  expect(result.stderr.match(/docker rm --force \w+/g)).toEqual([
    `docker rm --force ${containersOf(image)[0]}`,
  ]);
});

test('one without a name that was never ready: both are reported', async () => {
  const { project, image } = containerProject('--rm', 'never');
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('error[boot.never-ready] service box');
  expect(result.stderr).toContain(`container ${containersOf(image)[0]} of image ${image}`);
});

test('a container that already had the name is left alone', async () => {
  const name = fixedName();
  const { project, image } = containerProject(`--rm, --name, ${name}`);
  execFileSync('docker', ['run', '--detach', '--name', name, image, '/bin/sleep', '600']);
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('already in use');
  expect(containersOf(image)).toHaveLength(1);
  expect(project.left()).toEqual(nothing);
});

test.each(['teardown', 'killed keeper'])(
  'so is one that somebody made while the environment was up (%s)',
  async (end) => {
    const [name, image] = [fixedName(), shellImage()];
    const project = lateProject(name, image);
    const up = startRunning(project, ['up']);
    await up.says('Held open');
    const { keeper } = JSON.parse((await project.run(['status', '--json'])).stdout);
    execFileSync('docker', ['run', '--detach', '--name', name, image, '/bin/sleep', '600']);
    const [id = 'none'] = containersOf(image);
    await refuse(project);
    if (end === 'teardown') await project.run(['down']);
    else process.kill(keeper.pid, 'SIGKILL');
    await up.ended;
    expect(containersOf(image)).toEqual([id]);
    expect(up.text()).not.toContain('docker rm');
    expect(project.left()).toEqual(nothing);
  },
);

test('of two runs with the same name, the one that lost leaves the other its container, which is named in the end', async () => {
  const [name, image] = [fixedName(), shellImage()];
  const late = lateProject(name, image);
  const lost = startRunning(late, ['up']);
  await lost.says('Held open');
  const first = projectOf(`[docker, run, --name, ${name}, ${image}, ${program}]`);
  const won = startRunning(first, ['up']);
  await won.says('Held open');
  const [id = 'none'] = containersOf(image);
  await refuse(late);
  await late.run(['down']);
  await lost.ended;
  expect(lost.text()).not.toContain('docker rm');
  expect(containersOf(image)).toEqual([id]);
  const down = await first.run(['down']);
  expect(down.code, down.output).toBe(7);
  expect(down.output).toContain(`container ${name} of image ${image}; remove it: docker rm --force ${id}`);
  expect(down.output).toContain('--name shakedown-${environment.id}');
  expect(containersOf(image)).toEqual([id]);
  await won.ended;
  expect([first.left(), late.left()]).toEqual([nothing, nothing]);
});

test('one that is perhaps ours is named when the keeper was killed', async () => {
  const { project, image } = containerProject(`--name, ${fixedName()}`);
  const up = startRunning(project, ['up']);
  await up.says('Held open');
  const [id = 'none'] = containersOf(image);
  const { keeper } = JSON.parse((await project.run(['status', '--json'])).stdout);
  process.kill(keeper.pid, 'SIGKILL');
  await up.ended;
  expect(up.text()).toContain('error[left.behind]');
  expect(up.text()).toContain(`remove it: docker rm --force ${id}`);
  expect(containersOf(image)).toEqual([id]);
  expect(project.left()).toEqual(nothing);
});

const box = '/bin/sleep 600';
test.each([
  [
    'a label',
    (image: string) => `exec docker run --name ${fixedName()} --label of=\${environment.id} ${image} ${box}`,
  ],
  [
    'detached',
    (image: string) => `docker run --detach --name box-\${environment.id} ${image} ${box}; exec sleep 600`,
  ],
  [
    'without a name on its line',
    (image: string) =>
      `N=box-\${environment.id}; docker create --name $N ${image} ${box}; exec docker start -a $N`,
  ],
  [
    'in a loop',
    (image: string) => `until docker run --name box-\${environment.id} ${image} ${box}; do sleep 1; done`,
  ],
])('the id of the environment shows whose it is: %s', async (_how, run) => {
  const image = shellImage();
  const project = projectOf(`'echo up; ${run(image)}'`);
  const up = startRunning(project, ['up']);
  await up.says('Held open');
  await until(
    'it is there',
    10_000,
    () => containersOf(image),
    (ids) => ids.length === 1,
  );
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(0);
  await up.ended;
  expect(containersOf(image)).toEqual([]);
});

test('what docker-compose made goes by the name of its project', async () => {
  needs('docker-compose');
  const image = shellImage();
  const project = makeProject({
    'docker-compose.yml': `version: '3'\nservices: { box: { image: ${image}, command: ${box}, network_mode: none } }\n`,
    'shakedown.yaml':
      "name: boxed\nservices: { box: { run: 'docker-compose --project-name boxed-${environment.id} up --detach; echo up; exec sleep 600', ready: { log: up, within: 50s } } }\n",
  });
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(0);
  expect(containersOf(image)).toEqual([]);
});
