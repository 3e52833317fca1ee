/** An engine that is slow, full, silent, or gone for a while: what is said, and that nothing is left of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { atEngine, shellImage } from './harness/container-image.ts';
import { type EngineTrouble, engineInTrouble } from './harness/engine-front.ts';
import { makeProject, type Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { nothing, until } from './harness/until.ts';

const withinMs = 200_000;

/** With an image to build, a volume, a file to render: whatever the engine is asked for. */
function boxed(): Project {
  const image = shellImage();
  return makeProject({
    'app/Dockerfile': `FROM ${image}\nRUN echo built > /built\n`,
    'docker-compose.yml': `services:
  box:
    build: ./app
    command: [sh, -c, "echo up; exec sleep 600"]
    stop_grace_period: 1s
    volumes: ["kept:/kept"]
    configs: [{ source: words, target: /words }]
volumes: { kept: {} }
configs: { words: { content: hello } }
`,
    'shakedown.yaml': 'name: boxed\ncompose: docker-compose.yml\n',
  });
}

test.each([
  /^POST \/build/,
  /^POST \/networks\/create/,
  /^POST \/volumes\/create/,
  /^POST \/containers\/\w+\/start/,
])('no space left at %s', async (at) => {
  const project = boxed();
  const full: EngineTrouble = { at, status: 500, message: 'write /var/lib/x: no space left on device' };
  const result = await project.run(['up', '--', 'true'], {
    withinMs,
    env: { DOCKER_HOST: await engineInTrouble([full]) },
  });
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toMatch(/error\[world\.disk-full\] .*box/);
  expect(result.stderr).toContain('docker system df');
  expect(result.stderr).not.toContain('left.behind');
  expect(project.left()).toEqual(nothing);
});

test('one whose every answer takes a while: it boots', async () => {
  const project = boxed();
  const DOCKER_HOST = await engineInTrouble([], () => pause(400));
  const result = await project.run(['up', '--', 'true'], { withinMs, env: { DOCKER_HOST } });
  expect(result.code, result.output).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test('one that never answers a request: Ctrl-C ends it, what was made before is gone, and what may come is named', async () => {
  const project = boxed();
  let isAsked = false;
  const hangs = (): void => {
    isAsked = true;
  };
  const silent: EngineTrouble = { at: /^POST \/containers\/create/, hangs };
  const up = startRunning(project, ['up'], { DOCKER_HOST: await engineInTrouble([silent]) });
  await until('it waits for the engine', 120_000, () => isAsked, Boolean);
  up.child.kill('SIGINT');
  expect(await up.ended, up.text()).toBe(7);
  expect(up.text()).toMatch(
    /left\.behind.*container shakedown-\w+-box-1: the engine was asked to make it, and has not answered; if it comes, remove it: docker container rm shakedown/s,
  );
  expect(project.left()).toEqual(nothing);
});

test('one that is gone when the environment goes down: that is said, and the next command removes what is left', async () => {
  const project = boxed();
  const troubles: EngineTrouble[] = [];
  const DOCKER_HOST = await engineInTrouble(troubles);
  const up = await project.run(['up', '--detach'], { withinMs, env: { DOCKER_HOST } });
  expect(up.code, up.output).toBe(0);
  const { environment } = JSON.parse((await project.run(['status', '--json'])).stdout);
  troubles.push({ at: /./, status: 503, message: 'the engine is restarting' });
  const down = await project.run(['down'], { withinMs });
  expect(down.code, down.output).toBe(7);
  expect(down.output).toMatch(/did not end after SIGKILL: .*; the engine says: the engine is restarting/);
  expect(down.output).toMatch(
    /left behind.*with 503: the engine is restarting; once the engine answers, the next command/s,
  );
  expect(atEngine(environment)).not.toEqual([]);
  troubles.pop();
  await project.run(['status'], { withinMs });
  expect(atEngine(environment)).toEqual([]);
  expect(project.left()).toEqual(nothing);
});
