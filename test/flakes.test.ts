/** The flake ledger: from stored runs alone, whatever other files are among them; and a note where a known flake fails. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunPlan } from '../src/campaigns/run/run-plan.ts';
import type { FlakeLedger } from '../src/checks/trial-history.ts';
import type { RunVerdict, Verdict } from '../src/checks/verdict.ts';
import { sealDocument } from '../src/journal/seal.ts';
import type { Project } from './harness/project.ts';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

const config = `isolation: shared
services:
  hall: { run: [node, services/meets-others.mjs], listen: { env: PORT }, env: { PLACE: "\${config.dir}/place" } }`;

/** The second guest is refused, the third is not. */
const trials = {
  good: 'steps: [{ http: GET hall/, expect: { status: 200 } }]',
  turn: 'steps: [{ http: "GET hall/turn?of=it", as: page }]\nchecks: { seated: { exchange: page, expect: { status: 200 } } }',
};

test('a trial that holds and fails on one revision is known at the next failure, and by `report --flakes`', async () => {
  const project = trialsProject(config, trials, { '.gitignore': 'place\n', 'place/empty': '' });
  commit(project);
  const held = await performTrials(project);
  expect(held.code, held.text).toBe(0);
  expect(held.text).not.toContain('Known flakes');
  const failed = await performTrials(project);
  expect(failed.code).toBe(1);
  expect(failed.text).toContain('Known flakes turn failed in 1 of 2 runs on this revision');
  expect(failed.text).toContain('shakedown report --flakes');

  const { ledger, text } = await flakes(project);
  expect(ledger).toMatchObject({ runs: 2, unread: [] });
  expect(ledger.trials[0]).toMatchObject({
    id: 'turn',
    state: 'flake',
    runs: 2,
    passed: 1,
    failed: 1,
    alternations: [{ revision: failed.verdict.revision, isSame: true, changes: 1 }],
    checks: [{ check: 'seated', times: 1 }],
    causes: [{ kind: 'check', text: 'seated: expected 200, observed 500', times: 1 }],
    lastSeen: { run: failed.verdict.run, verdict: 'failed' },
  });
  expect(ledger.trials[1]).toMatchObject({ id: 'good', state: 'steady', because: null });
  expect(text).toContain('2 stored runs, 2 trials: 1 flake, 1 steady');
  expect(text).toContain('failing checks: seated (1)');

  rmSync(path.join(project.folder, '.shakedown/runs'), { recursive: true });
  storeRuns(project, failed.verdict, [
    ['passed', 'aaaa'],
    ['failed', 'bbbb'],
    ['failed', 'bbbb'],
  ]);
  const regression = await flakes(project);
  expect(regression.ledger.trials[0]).toMatchObject({
    id: 'turn',
    state: 'regression',
    since: { run: '20260101-000001-made', revision: 'bbbb' },
    alternations: [],
  });
  expect(regression.text).toContain('it fails since the run 20260101-000001-made, on revision bbbb');
});

test('runs with another environment are not flakes, whatever they alternate; the values are not kept', async () => {
  const project = trialsProject(
    `services: { hall: { run: [node, hall.mjs], listen: { env: PORT }, env: { DEFECT: "\${env.DEFECT:-}" } } }`,
    {
      open: 'steps: [{ http: GET hall/, as: page }]\nchecks: { open: { exchange: page, expect: { status: 200 } } }',
    },
    {
      'hall.mjs': `import { createServer } from 'node:http';
createServer((_, answer) => answer.writeHead(process.env.DEFECT ? 500 : 200).end()).listen(process.env.PORT, '127.0.0.1');
`,
    },
  );
  commit(project);
  const codes: (number | null)[] = [];
  for (const env of [{}, { DEFECT: 'closed-by-mistake' }, {}, { DEFECT: 'closed-by-mistake' }])
    codes.push((await project.run(['run'], { env })).code);
  expect(codes).toEqual([0, 1, 0, 1]);
  const { ledger, text } = await flakes(project);
  expect(text).not.toContain('flake open');
  expect(ledger.trials).toMatchObject([{ id: 'open', passed: 2, failed: 2, alternations: [] }]);
  expect(ledger.trials[0]?.state).not.toMatch(/flake|suspect|regression/);
  expect(read(project, '.shakedown/latest/plan.json')).not.toContain('closed-by-mistake');
});

test('a known flake that fails now in another environment, or with other files, is not called one', async () => {
  const project = trialsProject(
    `isolation: shared
services:
  hall:
    run: [node, services/meets-others.mjs]
    listen: { env: PORT }
    env: { PLACE: "\${config.dir}/place", DEFECT: "\${env.DEFECT:-}" }`,
    trials,
    { '.gitignore': 'place\n', 'place/empty': '' },
  );
  commit(project);
  await performTrials(project);
  const flaky = await project.run(['run']);
  expect(unfolded(flaky.stdout)).toContain('Known flakes turn failed in 1 of 2 runs');
  const again = (env: Readonly<Record<string, string>>) => {
    writeFileSync(path.join(project.folder, 'place/turn-it'), '.'); // the second guest is refused
    return project.run(['run'], { env });
  };
  for (const [env, file] of [[{ DEFECT: 'x' }], [{}, 'edited.txt']] as const) {
    if (file !== undefined) writeFileSync(path.join(project.folder, file), 'edited');
    const { code, stdout } = await again(env);
    expect(code, stdout).toBe(1);
    expect(stdout).not.toContain('flake');
  }
});

test('torn, foreign and older folders are counted and named; what can be read counts', async () => {
  const project = trialsProject(config, { good: trials.good });
  const { verdict } = await performTrials(project);
  const put = (run: string, files: Readonly<Record<string, string>>): void => {
    const folder = path.join(project.folder, '.shakedown/runs', run);
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  };
  const plan = read(project, `.shakedown/runs/${verdict.run}/plan.json`);
  const whole = read(project, `.shakedown/runs/${verdict.run}/verdict.json`);
  put('a-torn-verdict', { 'plan.json': plan, 'verdict.json': whole.slice(0, 300) });
  put('b-torn-plan', { 'plan.json': plan.slice(0, 300), 'verdict.json': whole });
  put('c-killed', { 'plan.json': plan });
  put('d-newer', {
    'plan.json': plan,
    'verdict.json': sealDocument({ ...verdict, schemaVersion: 2 }),
  });
  put('e-odd-verdict', { 'plan.json': plan, 'verdict.json': '{"schemaVersion":1,"trials":[{"id":7}]}' });
  put('f-odd-plan', { 'plan.json': '{"schemaVersion":1,"kind":"run","trials":[null],"system":{}}' });
  put('g-foreign', { 'plan.json': '[1,2]' });
  put('h-empty', {});
  put('i-up', { 'plan.json': '{"schemaVersion":1,"environment":"e"}' });
  writeFileSync(path.join(project.folder, '.shakedown/runs/j-file'), 'not a folder');
  put('k-good', { 'plan.json': plan, 'verdict.json': whole });

  const { ledger, text } = await flakes(project);
  expect(ledger.runs).toBe(2);
  expect(ledger.trials).toMatchObject([{ id: 'good', state: 'steady', runs: 2 }]);
  expect(Object.fromEntries(ledger.unread.map(({ run, kind }) => [run, kind]))).toEqual({
    'a-torn-verdict': 'torn',
    'b-torn-plan': 'torn',
    'c-killed': 'torn',
    'd-newer': 'version',
    'e-odd-verdict': 'torn',
    'f-odd-plan': 'torn',
    'g-foreign': 'foreign',
    'h-empty': 'foreign',
    'i-up': 'up',
    'j-file': 'foreign',
  });
  expect(text).toContain('9 run folders not read');
  expect(text).toContain('d-newer verdict.json is of version 2, this tool reads 1');
  expect(text).toContain('1 run of `up`, without trials');
  const next = await performTrials(project);
  expect(next.code, 'such folders do not disturb a run').toBe(0);
});

test('without any run there is nothing to report, and --flakes with a run is one argument too many', async () => {
  const project = trialsProject(config, trials);
  const { ledger, text } = await flakes(project);
  expect(ledger).toEqual({ runs: 0, unread: [], trials: [] });
  expect(text).toContain('0 stored runs, 0 trials: nothing is known yet');
  const { code, output } = await project.run(['report', '--flakes', 'latest']);
  expect(code).toBe(2);
  expect(output).toContain('error[usage.bad-value]');
});

test('`report` prints a stored run again, as it was judged, without its journals too', async () => {
  const project = trialsProject(config, { bad: 'steps: [{ http: GET hall/, expect: { status: 404 } }]' });
  const { text, verdict } = await performTrials(project);
  const again = await project.run(['report']);
  expect(again.code).toBe(1);
  expect(text).toContain(unfolded(again.stdout).trim());
  const json = await project.run(['report', verdict.run, '--json']);
  expect(JSON.parse(json.stdout)).toEqual(verdict);
  expect(json.code).toBe(1);

  expect(text).toContain(`more shakedown report ${verdict.run} bad --verbose`);
  expect(text).not.toContain('Who answered what');
  const whole = await project.run(['report', verdict.run, 'bad', '--verbose']);
  expect(whole.code).toBe(1);
  expect(whole.stdout).toMatch(/What was done[\s\S]*Who answered what[\s\S]*See it again/);
  expect(whole.stdout).not.toContain('Exit code');
  for (const verb of [['judge'], ['rerun', verdict.run]])
    expect((await project.run([...verb, '--verbose'])).stdout).toContain('Who answered what');
  const odd = await project.run(['report', verdict.run, 'badd']);
  expect(odd.code).toBe(2);
  expect(odd.output).toContain('did you mean `bad`?');

  const folder = path.join(project.folder, '.shakedown/runs', verdict.run);
  rmSync(path.join(folder, 'trials'), { recursive: true });
  const without = await project.run(['report', folder]);
  expect(without.code, without.output).toBe(1);
  expect(unfolded(without.stdout)).toContain('expected 404 observed 200');
  rmSync(path.join(folder, 'verdict.json'));
  const unjudged = await project.run(['report', verdict.run]);
  expect(unjudged.code).toBe(2);
  expect(unjudged.output).toContain(`judge it from its journals: shakedown judge ${verdict.run}`);
  const unknown = await project.run(['report', 'no-such-run']);
  expect(unknown.output).toContain('error[run.not-found]');
  expect(project.left()).toEqual(nothing);
});

async function flakes(project: Project): Promise<{ ledger: FlakeLedger; text: string }> {
  const json = await project.run(['report', '--flakes', '--json']);
  expect(json.code, json.output).toBe(0);
  const shown = await project.run(['report', '--flakes']);
  expect(shown.code, shown.output).toBe(0);
  return { ledger: JSON.parse(json.stdout) as FlakeLedger, text: unfolded(shown.stdout) };
}

/** Runs as they would have been stored, one second after the other. */
function storeRuns(
  project: Project,
  like: RunVerdict,
  runs: ReadonlyArray<readonly [verdict: Verdict, revision: string]>,
): void {
  const plan: Partial<RunPlan> = {
    schemaVersion: 1,
    kind: 'run',
    variant: {},
    attached: false,
    uncommitted: null,
    trials: [],
    system: { name: 'example', configHash: like.configHash, resources: [] } as unknown as RunPlan['system'],
  };
  runs.forEach(([verdict, revision], index) => {
    const folder = path.join(project.folder, `.shakedown/runs/20260101-00000${index}-made`);
    const startedAt = `2026-01-01T00:00:0${index}.000Z`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, 'plan.json'),
      JSON.stringify({ ...plan, run: 'made', revision, startedAt }),
    );
    const trial = { ...latest(like), verdict };
    const stored = { schemaVersion: 1, run: 'made', trials: [trial] };
    writeFileSync(path.join(folder, 'verdict.json'), JSON.stringify(stored));
  });
}

function latest({ trials: all }: RunVerdict): object {
  return all.find(({ id }) => id === 'turn') ?? {};
}

function commit(project: Project): void {
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: project.folder });
  };
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
}

function read(project: Project, file: string): string {
  return readFileSync(path.join(project.folder, file), 'utf8');
}
