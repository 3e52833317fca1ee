/** `doctor --live` boots the user's own system and runs smoke trials, and succeeds only when that works. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { binary, makeProject, type Project } from './harness/project.ts';
import { trialsProject, unfolded } from './harness/trials-project.ts';
import { nothing, until } from './harness/until.ts';

interface Row {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
  readonly next: string | null;
  readonly trial?: string | null;
}

interface Shown {
  readonly checks: readonly Row[];
  readonly errors: ReadonlyArray<{ readonly code: string }>;
  readonly exitCode: number;
  readonly live?: { readonly tried: boolean; readonly run: string | null; readonly checks: readonly Row[] };
}

async function shown(
  project: Project,
  args: readonly string[] = ['--live'],
  env: Readonly<Record<string, string>> = {},
): Promise<Shown> {
  const { code, stdout, output } = await project.run(['doctor', '--json', ...args], { env });
  expect(stdout, output).toMatch(/^\{.*\}\n$/);
  const answer = JSON.parse(stdout) as Shown;
  expect(answer.exitCode, output).toBe(code);
  expect(project.left(), output).toEqual(nothing);
  return answer;
}

function states({ live }: Shown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (live?.checks ?? []).map(({ name, state, trial }) => [name, `${state} ${trial ?? ''}`.trim()]),
  );
}

function row({ live, checks }: Shown, name: string): Row {
  const found = [...checks, ...(live?.checks ?? [])].find((one) => one.name === name);
  if (!found) throw new Error(`no row ${name}`);
  return found;
}

const web =
  'web: { run: [node, services/does-as-told.mjs], listen: { env: PORT }, ready: { http: /health } }';
const good = 'steps: [{ http: GET web/, expect: { status: 200 } }]';

test('it boots, runs one trial through each entry point, and leaves nothing; without --live it shows the same plan', async () => {
  const project = trialsProject(
    `services:\n  ${web}`,
    {
      'a-first': good,
      'b-smoke': `tags: [smoke]\n${good}`,
      'c-command': 'steps: [{ command: [curl, -s, "${web.url}/"], expect: { exitCode: 0 } }]',
      'd-known': `expectedFailure: { because: x }\n${good}`,
    },
    {
      'trials/e.flow.ts': `import { flow } from 'shakedown';
flow('it answers', { id: 'e-flow' }, async ({ http, expect }) => {
  expect(await http('web').get('/'), { status: 200 });
});
`,
    },
  );
  const planned = await shown(project, []);
  expect(planned.exitCode).toBe(0);
  expect(states(planned)).toEqual({
    boot: 'skipped',
    command: 'skipped c-command',
    flow: 'skipped e-flow',
    'http web': 'skipped b-smoke',
  });
  expect(planned.live?.checks.map(({ next }) => next)).toEqual(Array(4).fill('shakedown doctor --live'));
  expect(planned.live).toMatchObject({ tried: false, run: null });

  const answer = await shown(project);
  expect(states(answer)).toEqual({
    boot: 'ok',
    command: 'ok c-command',
    flow: 'ok e-flow',
    'http web': 'ok b-smoke',
    teardown: 'ok',
  });
  expect(answer).toMatchObject({ exitCode: 0, errors: [], live: { tried: true } });
  const again = await project.run(['report', answer.live?.run ?? '']);
  expect(again.code, 'the evidence is a run like others').toBe(0);
  expect(again.stdout).toContain('✓ b-smoke');
});

test('a wrong health check does not matter: the smoke trial decides, as in a run', async () => {
  const project = trialsProject(`services:\n  ${web}`, {
    smoke:
      'tags: [smoke]\nsteps: [{ http: GET web/, as: page }]\nchecks: { created: { exchange: page, expect: { status: 201 } } }',
    other: good,
  });
  expect((await project.run(['run', 'other'])).code).toBe(0);
  const answer = await shown(project);
  expect(answer.exitCode).toBe(1);
  expect((await project.run(['judge'])).code).toBe(0); // the latest is still the user's own
  expect(states(answer)).toEqual({ boot: 'ok', 'http web': 'failed smoke', teardown: 'ok' });
  expect(row(answer, 'http web')).toMatchObject({
    detail: 'smoke failed: created: expected 201, observed 200',
    next: `shakedown rerun ${answer.live?.run} smoke`,
  });
  const { stdout } = await project.run(['doctor', '--live']);
  expect(stdout).toMatch(/^no {8}http web +smoke failed/m);
  expect(stdout.endsWith('\ndoes not work: http web\n')).toBe(true);
});

test('trials that need something, may cost money or are in quarantine are skipped, each with the exact command', async () => {
  const project = trialsProject(
    `resources:
  model: { kind: model, mode: live, upstreams: { openai: { url: "http://127.0.0.1:9", key: MODEL_KEY } } }
services:
  ${web}
  agent: { run: [node, services/asks-a-model.mjs], listen: { env: PORT }, env: { MODEL_URL: "\${model.url}" }, ready: { http: /health } }
  front: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { PEER: "\${agent.url}" } }
  spare: { run: [node, services/answers.mjs], listen: { env: PORT } }
  last: { run: [node, services/answers.mjs], listen: { env: PORT } }`,
    {
      web: good,
      agent: 'steps: [{ http: POST agent/ask, json: { text: hello }, expect: { status: 200 } }]',
      front: 'steps: [{ http: GET front/peer, expect: { status: 200 } }]',
      spare: `cases: { x: {} }\nneeds: [{ env: NOT_SET_ANYWHERE }]\nsteps: [{ http: GET spare/, expect: { status: 200 } }]`,
      last: 'steps: [{ http: GET last/, expect: { status: 200 } }]',
    },
    {
      'shakedown/quarantine.yaml':
        'entries: [{ trial: last, owner: ada, reason: it races, until: 2999-01-01 }]\n',
    },
  );
  const unpaid = await shown(project);
  expect(unpaid.exitCode).toBe(0);
  expect(unpaid.live?.tried).toBe(false);
  expect(row(unpaid, 'boot')).toMatchObject({
    state: 'skipped',
    detail: 'not tried: the real providers of this config need MODEL_KEY',
    next: 'MODEL_KEY=… shakedown doctor --live',
  });

  const answer = await shown(project, ['--live', '--config', 'shakedown.yaml'], { MODEL_KEY: 'a-real-key' });
  expect(answer.exitCode).toBe(0);
  expect(states(answer)).toEqual({
    boot: 'ok',
    'http agent': 'skipped agent',
    'http front': 'skipped front',
    'http last': 'skipped last',
    'http spare': 'skipped spare[x]',
    'http web': 'ok web',
    teardown: 'ok',
  });
  expect(row(answer, 'http front')).toMatchObject({
    detail: 'front: it may call the real model, which costs money or needs a key',
    next: 'shakedown run --config shakedown.yaml front',
  });
  expect(row(answer, 'http spare')).toMatchObject({
    detail: 'spare[x]: needs the environment variable NOT_SET_ANYWHERE',
    next: "NOT_SET_ANYWHERE=… shakedown run --config shakedown.yaml 'spare[x]'",
  });
  expect(row(answer, 'http last').detail).toBe('last: it is in quarantine until 2999-01-01 (ada)');
});

test('a failed boot is reported in four parts with exit code 3, and nothing more is claimed', async () => {
  const project = trialsProject(
    'services:\n  web: { run: [node, services/never-ready.mjs], listen: { env: PORT }, ready: { http: /health, within: 300ms } }',
    { good },
  );
  const { code, stdout } = await project.run(['doctor', '--live']);
  expect(code, stdout).toBe(3);
  expect(stdout).toMatch(/^broken {4}boot /m);
  expect(stdout).toMatch(/^skipped {3}http web +good was not run\n +next: shakedown doctor --live$/m);
  expect(stdout).toContain('error[boot.never-ready]');
  expect(stdout.endsWith('\nbroken: boot\n')).toBe(true);
  expect(project.left()).toEqual(nothing);
});

test('without trials it still boots; without a config, or with an invalid trial, it ends with 2 and tries nothing', async () => {
  const bare = trialsProject(`services:\n  ${web}`, {});
  const booted = await shown(bare);
  expect(booted.exitCode).toBe(0);
  expect(states(booted)).toEqual({ boot: 'ok', teardown: 'ok' });
  const { stdout } = await bare.run(['doctor', '--live']);
  expect(stdout).toMatch(/and the system boots; no entry point was tried\n$/);
  expect(stdout).not.toContain('the system works');
  expect(row(booted, 'its trials')).toMatchObject({
    state: 'optional-missing',
    next: 'write one: docs/tutorials/first-trial.md',
  });

  const nowhere = await makeProject({}).run(['doctor', '--live']);
  expect(nowhere.code).toBe(2);
  expect(nowhere.stdout).toContain('error[config.not-found]');

  const broken = await shown(trialsProject(`services:\n  ${web}`, { one: 'stepps: []' }));
  expect(broken.exitCode).toBe(2);
  expect(row(broken, 'its trials').state).toBe('broken');
  expect(broken.live).toBeUndefined();
});

test('requirements come first: nothing is tried while one is missing', async () => {
  const project = trialsProject(`services:\n  ${web}`, { good });
  writeFileSync(path.join(project.folder, '.shakedown'), 'in the way');
  const answer = await shown(project);
  expect(answer.exitCode).toBe(3);
  expect(row(answer, 'run folders')).toMatchObject({
    state: 'missing',
    detail: `no run can be stored: ${project.folder}/.shakedown is not a folder`,
  });
  expect(row(answer, 'boot').detail).toBe('not tried: first fix run folders, environment, above');
  const run = await project.run(['run']);
  expect(run.code, run.output).toBe(3);
  expect(run.output, 'a run agrees').toContain('an entry that is not a folder is in the way');
});

test('a run folder that this user may not write is reported', async () => {
  const project = makeProject({ 'shakedown.yaml': `name: ship\nservices:\n  ${web}\n` });
  mkdirSync(path.join(project.folder, '.shakedown/runs'), { recursive: true });
  for (const [name, mode] of [
    ['..', 0o755],
    ['.', 0o777],
    ['.shakedown', 0o777],
    ['.shakedown/runs', 0o555],
    ['../tmp', 0o777],
  ] as const)
    chmodSync(path.join(project.folder, name), mode);
  const { stdout } = await asOrdinaryUser(project, ['doctor', '--json']);
  const answer = JSON.parse(stdout) as Shown;
  expect(answer.exitCode).toBe(3);
  expect(unfolded(row(answer, 'run folders').detail)).toMatch(
    /^no run can be stored: EACCES: .*\.shakedown\/runs'$/,
  );
  expect(row(answer, 'run folders').next).toContain('sudo chown -R');
});

test('interrupted, it takes everything down and ends with 130', async () => {
  const project = trialsProject(`services:\n  ${web}`, {
    waits: 'timeout: 50s\nsteps: [{ http: GET web/wait, timeout: 50s, expect: { status: 200 } }]',
  });
  const child = project.start(['doctor', '--live']);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const journal = path.join(project.folder, '.shakedown/latest/trials/waits/events.ndjson');
  await until('the trial is under way', 40_000, () => existsSync(journal), Boolean);
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(project.left()).toEqual(nothing);
});

/** Root may write everywhere, so root switches to the user `nobody`. */
function asOrdinaryUser(project: Project, args: readonly string[]): Promise<{ readonly stdout: string }> {
  const isRoot = process.getuid?.() === 0;
  const child = spawn(process.execPath, [binary, ...args], {
    cwd: project.folder,
    env: { ...process.env, ...project.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve({ stdout }));
  });
}
