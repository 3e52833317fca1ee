/** Nothing is done to a service that is somebody else's, and what cannot be seen of it is refused. */
import { expect, test } from 'vitest';
import type { Project } from './harness/project.ts';
import { theirServer } from './harness/their-server.ts';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const calls = 'steps: [{ http: GET api/direct, expect: { status: 200, json: { url: /direct } } }]';
/** Asks its peer once for each request. */
const web = `web: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { PEER: "\${api.url}" }, ready: { http: / } }`;

async function refusal(project: Project, ...args: readonly string[]) {
  const { code, output } = await project.run(args);
  return { code, text: unfolded(output) };
}

test('nothing is done to it, and what cannot be seen is refused', async () => {
  const theirs = await theirServer();
  const config = `services:\n  api: { at: "http://127.0.0.1:${theirs.port}" }\n  ${web}`;
  const refused = {
    kill: 'steps: [{ kill: api }]',
    restart: 'steps: [{ restart: api }]',
    pause: 'steps: [{ pause: api }]',
    disturb: `disturb: [{ edge: web -> api, delay: 1s }]\n${calls}`,
    process: `${calls}\nchecks: { up: { process: api, expect: { running: true } } }`,
    logs: `${calls}\nchecks: { said: { logs: api, expect: [] } }`,
    files: `${calls}\nchecks: { wrote: { files: api, expect: [] } }`,
    inside: 'steps: [{ command: [ls], in: api }]',
    waits: 'steps: [{ until: { process: api, expect: { running: false }, within: 1s } }]',
    fresh: `isolation: fresh\n${calls}`,
  };
  const lint = await refusal(trialsProject(config, refused), 'lint');
  expect(lint.code, lint.text).toBe(2);
  const found = lint.text.split('error[');
  for (const id of Object.keys(refused)) {
    const own = found.find((one) => one.includes(`trials/${id}.trial.yaml:`));
    expect(own, id).toContain("is somebody else's");
  }
  const flow = `import { flow } from 'shakedown';\nflow('asks', { id: 'asks', isolation: 'restart' }, async () => {});\n`;
  const inFlow = await refusal(trialsProject(config, {}, { 'trials/asks.flow.ts': flow }), 'lint');
  expect(inFlow.code, inFlow.text).toBe(2);
  expect(inFlow.text).toContain('`isolation` is "restart", and `api` is somebody else\'s');
  for (const isolation of ['fresh', 'restart']) {
    const { code, text } = await refusal(
      trialsProject(config, { a: calls }),
      'run',
      '--isolation',
      isolation,
    );
    expect({ code, isolation }, text).toEqual({ code: 2, isolation });
    expect(text).toContain("api is somebody else's");
  }
  expect(theirs.asked).toEqual([]);
}, 60_000);

test('also where its name is known only later', async () => {
  const theirs = await theirServer((_, response) => void response.end('api'));
  const late = (step: string): string => `steps: [{ http: GET api/, as: name }, ${step}]`;
  const { code, text, verdicts } = await performTrials(
    trialsProject(`services: { api: { at: "http://127.0.0.1:${theirs.port}" } }`, {
      kill: late('{ kill: "${name.text}" }'),
      process: `${late('{ http: GET api/ }')}\nchecks: { up: { process: "\${name.text}", expect: { running: true } } }`,
    }),
  );
  expect({ code, verdicts }, text).toEqual({ code: 6, verdicts: { kill: 'unknown', process: 'unknown' } });
  expect(text).toContain("api is somebody else's (`at`): nothing is done to it");
  expect(text).toContain('its process, files and log cannot be seen');
  expect(theirs.isAlive()).toBe(true);
});

test('a flow that asks for more is told so, and what it claims is unknown', async () => {
  const theirs = await theirServer();
  const flow = (body: string): string =>
    `import { flow } from 'shakedown';\nflow('asks', { id: 'asks' }, async (t) => { await t.http('api').get('/direct');\n${body}\n});\n`;
  const project = (body: string): Project =>
    trialsProject(
      `services: { api: { at: "http://127.0.0.1:${theirs.port}" } }`,
      {},
      { 'trials/asks.flow.ts': flow(body) },
    );
  const killed = await performTrials(project("await t.service('api').kill();"));
  expect(killed.code, killed.text).not.toBe(0);
  expect(killed.text).toContain("`api` is somebody else's (`at`), and `kill` would disturb it");
  const looked = await performTrials(project("t.check('up', await t.process('api'), { running: true });"));
  expect(looked.code, looked.text).not.toBe(0);
  expect(looked.text).toContain("`api` is somebody else's (`at`), and `process` cannot see into it");
  expect(theirs.isAlive()).toBe(true);
}, 60_000);
