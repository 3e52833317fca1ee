/** `run --attach` runs on an environment that is already up, uses it as it is, and leaves it up. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Project } from './harness/project.ts';
import { latestVerdict, trialsProject, unfolded } from './harness/trials-project.ts';
import { nothing, until } from './harness/until.ts';

const config = `services:
  notes: { run: [node, services/remembers-notes.mjs], listen: { env: PORT } }
`;

async function perform(project: Project, ...args: readonly string[]) {
  const { code, output } = await project.run(['run', '--attach', ...args]);
  return { code, text: unfolded(output) };
}

function finds(note: string, kept: string, remembered: string): string {
  return `steps: [{ http: POST notes/note?text=${note}, expect: { json: { kept: ${kept}, remembered: ${remembered} } } }]`;
}

test('the environment is shared, a trial that needs more isolation is reported, and everything is still up afterwards', async () => {
  const project = trialsProject(config, {
    '1-shared': finds('one', '[one]', '[one]'),
    '2-shared': finds('two', '[one, two]', '[one, two]'),
    '3-restart': `isolation: restart\n${finds('three', '[one, two, three]', '[three]')}`,
    '4-fresh': `isolation: fresh\n${finds('four', '[four]', '[four]')}`,
  });
  const absent = await perform(project);
  expect(absent.code).toBe(2);
  expect(absent.text).toContain('error[usage.not-up]');
  expect(absent.text).toContain('start one: shakedown up --detach');

  expect((await project.run(['up', '--detach'])).code).toBe(0);
  const before = JSON.parse((await project.run(['status', '--json'])).stdout) as { keeper: object };
  const attached = await perform(project);
  expect(attached.code, attached.text).toBe(0);
  expect(latestVerdict(project).verdicts).toEqual({
    '1-shared': 'passed',
    '2-shared': 'passed',
    '3-restart': 'passed',
    '4-fresh': 'skipped',
  });
  expect(attached.text).toContain('needs a fresh environment, and --attach cannot give one: 4-fresh');
  const after = JSON.parse((await project.run(['status', '--json'])).stdout) as { keeper: object };
  expect(after).toMatchObject({ state: 'ready', keeper: before.keeper });

  const wrong = await perform(project, '--isolation', 'fresh');
  expect(wrong.code).toBe(2);
  expect(wrong.text).toContain('an environment that another process holds cannot be made fresh');

  // The environment keeps its config; the config file may have changed since.
  writeFileSync(path.join(project.folder, 'shakedown.yaml'), `name: renamed\ntrials: "trials/**"\n${config}`);
  writeFileSync(
    path.join(project.folder, 'trials/5.trial.yaml'),
    `id: again\n${finds('five', '[one, two, three, five]', '[three, five]')}\n`,
  );
  const again = await perform(project, 'again');
  expect(again.code, again.text).toBe(0);
  expect(again.text).toContain('the config has changed since this environment was started');

  expect((await project.run(['down'])).code).toBe(0);
  expect((await perform(project)).code).toBe(2);
  expect(project.left()).toEqual(nothing);
}, 120_000);

test('a trial is unknown when `down` is called while it runs', async () => {
  const project = trialsProject(
    `services:
  web: { run: [node, gives-up.mjs], listen: { env: PORT } }
  slow: { run: [sh, -c, "trap '' TERM; echo up; while :; do sleep 0.1; done"], ready: { log: up }, stop: { within: 1500ms } }
`,
    { waits: 'steps: [{ http: GET web/, expect: { status: 200 } }]' },
  );
  writeFileSync(
    path.join(project.folder, 'gives-up.mjs'),
    `import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
const server = createServer((request, response) => {
  writeFileSync('asked', '');
  process.once('SIGTERM', () => response.writeHead(500).end('going', () => process.exit(0)));
}).listen(process.env.PORT, '127.0.0.1');
`,
  );
  expect((await project.run(['up', '--detach'])).code).toBe(0);
  const attached = perform(project);
  await until('the step has begun', 20_000, () => existsSync(path.join(project.folder, 'asked')), Boolean);
  expect((await project.run(['down'])).code).toBe(0);
  const { code, text } = await attached;
  expect(latestVerdict(project).verdicts, text).toEqual({ waits: 'unknown' });
  expect(text).toContain('the environment went away during the attempt');
  expect(code).not.toBe(1);
});

test('two runs do not share an environment at the same time', async () => {
  const project = trialsProject(
    `${config}  slow: { run: [node, services/answers.mjs], listen: { env: PORT } }\n`,
    {
      long: `steps: [{ command: [sleep, '4'] }, { http: GET slow/, as: page, expect: { status: 200 } }]`,
      short: `steps: [{ http: GET slow/, as: page, expect: { status: 200 } }]`,
    },
  );
  expect((await project.run(['up', '--detach'])).code).toBe(0);
  const first = perform(project, 'long');
  const runs = path.join(project.folder, '.shakedown/runs');
  await until(
    'the first run has begun',
    20_000,
    () => readdirSync(runs).length,
    (count) => count > 1,
  );
  const second = await perform(project, 'short');
  expect([second.code, second.text]).toEqual([2, expect.stringContaining('another run uses it')]);
  expect((await first).code).toBe(0);
  expect((await perform(project, 'short')).code).toBe(0);
  await project.run(['down']);
  expect(project.left()).toEqual(nothing);
});
