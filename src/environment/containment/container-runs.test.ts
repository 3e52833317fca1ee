import { expect, test } from 'vitest';
import { containerRunsIn, mentionsDocker } from './container-runs.ts';

test.each([
  ['docker run --rm --name box img /s', ['box']],
  ['/usr/bin/docker --context far container run --name=box -e A=1 img', ['box']],
  ['sh -c docker run --rm --name "box.1" img; docker run img --verbose && echo up', ['box.1', undefined]],
  ['/bin/bash -l -ec cd x && A=1 exec docker run \\\n --name box img', ['box']],
  ['docker run --rm img', [undefined]],
  ['sh -c docker create --name box img; exec docker start -a box', ['box']],
  ['docker network create --name box net', []],
  ['docker volume create box', []],
  ['docker exec box npm run start', []],
  ['docker compose run web', []],
  ['docker ps', []],
  ['node docker.mjs run it', []],
  ['npm run docker', []],
  ['node agent.mjs --never docker run --name box img', []],
  ['sh -c echo docker run --name box img', []],
  ['node -c docker run --name box img', []],
])('%s', (commandLine, names) => {
  expect(containerRunsIn(commandLine).map(({ name }) => name)).toEqual(names);
});

test.each([
  ['docker run --name box img', true],
  ['sh -c docker run --name box img', true],
  ['sh -c echo up; exec docker run --name box img', true],
  ['sh -c docker run --detach --name box img; exec sleep 9', false],
  ['sh -c until docker run --name box img; do sleep 1; done', false],
])('%s: its exit code is that of the client', (commandLine, isLast) => {
  expect(containerRunsIn(commandLine)[0]?.isLast).toBe(isLast);
});

test.each([
  ['sh -c N=box; id=$(docker run -d --name $N img)', true],
  ['/usr/bin/python3 /usr/bin/docker-compose up', true],
  ['docker compose up', true],
  ['node docker.mjs run it', false],
  ['npm run docker', false],
])('%s: speaks to the engine', (commandLine, does) => {
  expect(mentionsDocker(commandLine)).toBe(does);
});
