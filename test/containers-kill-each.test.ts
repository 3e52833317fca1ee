/** Everything is killed at the 1st, 2nd, 3rd … request that changes something at the engine, until boot and teardown pass untouched. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { atEngine, shellImage } from './harness/container-image.ts';
import { engineInTrouble } from './harness/engine-front.ts';
import { makeProject, type Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { isNothing, until } from './harness/until.ts';

/** A job and a service of a compose file, a volume that both have, an image that is built. */
const compose = (image: string): string => `services:
  web:
    build: ./app
    command: [sh, -c, "echo up; exec sleep 600"]
    stop_grace_period: 1s
    volumes: ["kept:/kept"]
    depends_on: { fill: { condition: service_completed_successfully } }
  fill: { image: ${image}, command: [sh, -c, "echo filled > /kept/file"], volumes: ["kept:/kept"] }
volumes: { kept: {} }
`;

/** What they can still do is killed first, so that no guard cleans up. */
async function killAll(project: Project): Promise<void> {
  for (let alive = 1; alive > 0; ) {
    const pids = project.left().processes.map(({ pid }) => pid);
    for (const pid of pids) spawnSync('kill', ['-9', String(pid)]);
    alive = pids.length;
  }
}

/** The environments whose plan was stored. */
function environmentsOf({ folder }: Project): readonly string[] {
  const runs = path.join(folder, '.shakedown/runs');
  const plans = (existsSync(runs) ? readdirSync(runs) : []).map((run) => path.join(runs, run, 'plan.json'));
  return plans
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')).environment);
}

test('the next command removes what was there, at whichever request they died', async () => {
  const image = shellImage();
  const requests: string[] = [];
  for (let killedAt = 1; ; killedAt += 1) {
    const project = makeProject({
      'app/Dockerfile': `FROM ${image}\nRUN echo ${killedAt} > /built\n`,
      'docker-compose.yml': compose(image),
      'shakedown.yaml': 'name: killed\ncompose: docker-compose.yml\n',
    });
    let count = 0;
    const DOCKER_HOST = await engineInTrouble([], async (asked) => {
      if (/^GET|^POST \/exec/.test(asked)) return;
      count += 1;
      if (count !== killedAt) return;
      requests.push(asked.replace(/\?.*|[0-9a-f]{12,}/g, ''));
      await killAll(project);
    });
    const up = startRunning(project, ['up', '--detach'], { DOCKER_HOST });
    await up.ended;
    const down = count < killedAt ? await project.run(['down'], { withinMs: 60_000 }) : undefined;
    const wasUntouched = count < killedAt;
    if (wasUntouched) expect(down?.code, down?.output).toBe(0);
    else await project.run(['status'], { withinMs: 60_000 });
    const where = `killed at request ${killedAt}, ${requests.at(-1)}`;
    for (const environment of environmentsOf(project)) expect(atEngine(environment), where).toEqual([]);
    await until(`nothing is left, ${where}`, 20_000, () => project.left(), isNothing);
    if (wasUntouched) break;
  }
  for (const what of [
    'POST /networks/create',
    'POST /volumes/create',
    'POST /containers/create',
    'POST /build',
  ])
    expect(requests).toContain(what);
  expect(requests.filter((asked) => asked.startsWith('DELETE')).length).toBeGreaterThan(3);
}, 900_000);
