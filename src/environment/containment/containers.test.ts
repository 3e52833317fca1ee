import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { containerRunsIn, removeContainers } from './containers.ts';

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

test('a container is removed once, however often its client was started, with a second for the clock of the engine', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'containers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string): string => path.join(folder, name);
  const engine = `echo "$*" >>${file('asked')}
case $1 in inspect) cat ${file('made')} ;; rm) rm ${file('made')} ;; esac`;
  writeFileSync(file('docker'), `#!/bin/sh\n${engine} 2>/dev/null\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const since = Date.now();
  const entries = [0, 5_000, 9_000].map(
    (later) => ({ entry: 'container', name: 'box', since: since + later }) as const,
  );
  writeFileSync(file('made'), new Date(since - 1_001).toISOString());
  expect(await removeContainers(entries, systemClock)).toEqual([]);
  expect(existsSync(file('made'))).toBe(true);
  writeFileSync(file('made'), new Date(since - 900).toISOString());
  expect(await removeContainers(entries, systemClock)).toEqual([]);
  expect(existsSync(file('made'))).toBe(false);
  const asked = readFileSync(file('asked'), 'utf8').split('\n');
  expect(asked.filter((line) => line.startsWith('inspect'))).toHaveLength(3);
});
