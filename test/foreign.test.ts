/** `sabotage --live -- COMMAND`: exactly the tests that cannot fail are found, and no others. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ForeignSabotage } from '../src/campaigns/sabotage/foreign/foreign-sabotage.ts';
import type { Observation } from '../src/journal/observation.ts';
import { makeProject, type Project } from './harness/project.ts';
import { projectFolder } from './harness/project-files.ts';
import type { CommandResult } from './harness/run-command.ts';
import { unfolded } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

const longMs = 170_000;

/** The example, in a folder of its own beside the one package that it uses. */
function helpdesk(): Project {
  const project = makeProject({});
  const example = path.join(projectFolder, 'examples/foreign');
  cpSync(example, project.folder, { recursive: true, filter: (file) => !file.includes('.shakedown') });
  writeFileSync(path.join(project.folder, 'package.json'), '{"type":"module"}');
  mkdirSync(path.join(project.folder, 'node_modules'), { recursive: true });
  symlinkSync(path.join(projectFolder, 'node_modules/pg'), path.join(project.folder, 'node_modules/pg'));
  return project;
}

const nodeTest = ['node', '--test', '--test-reporter=junit', '--test-reporter-destination=${junit}'];
const suite = ['--', ...nodeTest, 'tests/tickets.test.mjs'];

/** The last line of standard output. */
function document<T>({ stdout }: CommandResult): T {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as T;
}

test(
  'the example: all and only the vacuous tests are found, with the system healthy and with a defect',
  async () => {
    const project = helpdesk();
    const result = await project.run(['sabotage', '--live', '--json', ...suite], { withinMs: longMs });
    expect(project.left(), result.output).toEqual(nothing);
    expect(result.code, result.output).toBe(6);
    const { tests, findings, vitality, vital, checks, exposures, ...sabotage } =
      document<ForeignSabotage>(result);
    const source = readFileSync(path.join(project.folder, 'tests/tickets.test.mjs'), 'utf8');
    const [strong = '', vacuous = ''] = source.split("describe('vacuous'");
    const names = (part: string, group: string): readonly string[] =>
      [...part.matchAll(/^ {2}test\('(.*)'/gm)].map(([, name]) => `${group} › ${name}`).toSorted();
    const of = (state: string): readonly string[] =>
      tests
        .filter((one) => one.state === state)
        .map(({ id }) => id)
        .toSorted();
    expect(of('vital'), result.output).toEqual(names(strong, 'strong'));
    expect(of('vacuous'), result.output).toEqual(names(vacuous, 'vacuous'));
    expect(findings.map(({ test: id }) => id).toSorted()).toEqual(names(vacuous, 'vacuous'));
    expect({ vitality, vital, checks, exposures }).toEqual({
      vitality: 5 / 13,
      vital: 5,
      checks: 13,
      exposures: [],
    });
    expect(sabotage.runs.map(({ service, mutant }) => `${service} ${mutant}`)).toEqual([
      'db dead',
      'db garbage',
      'mailer dead',
      'mailer garbage',
      'mailer wrong',
      'mailer other-tenant',
      'desk dead',
      'desk garbage',
      'desk wrong',
      'desk other-tenant',
    ]);
    // A defect of the system turns strong ones red, and none of the others.
    const lost = await project.run(['run', '--observe', '--json', ...suite], {
      env: { DEFECT: 'lost-ticket' },
    });
    expect(project.left(), lost.output).toEqual(nothing);
    const { observed } = document<{ readonly observed: Observation }>(lost);
    const failed = observed.tests.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
    const edge = (from: string, to: string) =>
      observed.edges.find((one) => one.from === from && one.to === to);
    // The desk confirms each ticket by one mail, and keeps what it knows in the database.
    expect(edge('outside', 'desk')?.statuses['201']).toBe(edge('desk', 'mailer')?.calls);
    expect(edge('desk', 'mailer')?.statuses).toEqual({ 202: edge('desk', 'mailer')?.calls });
    const statements = edge('desk', 'db')?.calls;
    expect(edge('desk', 'db')).toMatchObject({ isWatched: true, errors: 0, statuses: { ok: statements } });
    expect(edge('desk', 'db')?.bytesReceived).toBeGreaterThan(0);
    expect(edge('outside', 'db')).toMatchObject({ connections: 0, bytesSent: 0 });
    expect([lost.code, failed.length > 1, failed.filter((id) => !id.startsWith('strong › '))]).toEqual([
      1,
      true,
      [],
    ]);
  },
  longMs + 10_000,
);

const config = `name: one
settle: 20ms
isolation: restart
services:
  api:
    run: [node, services/answers.mjs]
    listen: { env: PORT }
    env: { NAME: api }
    reset: stateless
    ready: { tcp: true }
`;

/** A minimal runner: one process, and a very simple report. */
const runner = `
import assert from 'node:assert';
import { writeFileSync } from 'node:fs';
const ask = async () => (await fetch(process.env.SHAKEDOWN_API_URL, { headers: { connection: 'close' } })).text();
const tests = {
  strong: async () => assert.equal(await ask(), 'hello from api'),
  weak: async () => { await ask(); },
};
const cases = ['<testcase name="left out"><skipped/></testcase>'];
for (const [name, perform] of Object.entries(tests)) {
  const why = (error) => \`<failure>\${error.cause?.code ?? error.message.replaceAll('<', '&lt;')}</failure>\`;
  const fault = await perform().then(() => '', why);
  cases.push(\`<testcase name="\${name}" file="a.py">\${fault}</testcase>\`);
  if (fault !== '') process.exitCode = 1;
}
writeFileSync(process.env.SHAKEDOWN_JUNIT, \`<testsuite>\${cases.join('')}</testsuite>\`);
`;

function one(text = runner): Project {
  return makeProject({ 'shakedown.yaml': config, 'runner.mjs': text });
}

const unbegunBy = 'no test of the healthy run was begun';

const live = ['sabotage', '--live'];
const own = ['--', 'node', 'runner.mjs'];

test('findings are accepted with a reason, keep the exit code at 0, and must be removed when they are stale', async () => {
  const project = one();
  const found = await project.run([...live, ...own]);
  const text = unfolded(found.stdout);
  expect(found.code, found.output).toBe(6);
  expect(text).toContain('1 test cannot fail ✗ weak a.py it stays green under the one mutant');
  expect(text).toContain('vitality 50 %: 1 of 2 tests kill a mutant');
  expect(text).toContain('skipped without a mutant, and not counted - left out');
  expect(unfolded(found.stderr)).toContain('api dead: 2 prove nothing');
  expect(unfolded(found.stderr)).toContain('api answering garbage: 1 fail, 1 stay green');
  const accepted = await project.run([...live, '--accept', 'it is to be rewritten', ...own]);
  expect(accepted.code, accepted.output).toBe(0);
  expect(readFileSync(path.join(project.folder, 'shakedown/sabotage-baseline.yaml'), 'utf8')).toContain(
    'foreign:\n  - service: "*"\n    mutant: "*"\n    test: "weak"\n    reason: "it is to be rewritten"\n',
  );
  const mended = runner.replace('{ await ask(); }', 'assert.match(await ask(), /^hello/)');
  writeFileSync(path.join(project.folder, 'runner.mjs'), mended);
  const stale = await project.run([...live, ...own]);
  expect(stale.code, stale.output).toBe(6);
  expect(unfolded(stale.stdout)).toContain('no longer a finding: shakedown sabotage --live --prune');
  expect((await project.run([...live, '--prune', ...own])).code).toBe(0);
  expect(project.left()).toEqual(nothing);
}, 120_000);

test('a script without a report is judged as a whole', async () => {
  const project = one();
  const script =
    'test "$(node -e "fetch(process.argv[1]).then((r) => r.text()).then(console.log)" "$SHAKEDOWN_API_URL")" = "hello from api"';
  const strong = await project.run([...live, '--json', '--', 'sh', '-c', script]);
  expect(strong.code, strong.output).toBe(0);
  expect(document(strong)).toMatchObject({ perTest: false, vitality: 1, checks: 1, vital: 1, findings: [] });
  const weak = await project.run([...live, '--', 'sh', '-c', `${script}; true`]);
  expect(weak.code, weak.output).toBe(6);
  expect(unfolded(weak.stdout)).toContain(
    '1 test cannot fail ✗ the command it stays green under all 2 mutants',
  );
  expect(project.left()).toEqual(nothing);
}, 120_000);

test('tests that prove nothing are reported: they fail by themselves, touch nothing, or never start under a mutant', async () => {
  const red = await one(runner.replace('hello from api', 'hello')).run([...live, ...own]);
  expect(red.code, red.output).toBe(1);
  expect(red.stderr).toContain('error[system.command-failed] the command after --, in the healthy run');
  expect(red.stderr).toContain('| strong:');
  const idle = await one().run([...live, '--', 'true']);
  expect([idle.code, unfolded(idle.stdout)]).toEqual([
    6,
    expect.stringContaining('the command touched nothing of the system'),
  ]);
  const fixture = "if (!/^hello/.test(await ask().catch(() => ''))) process.exit(1);\nconst cases";
  const unbegun = await one(runner.replace('const cases', fixture)).run([...live, '--json', ...own]);
  expect(unbegun.code, unbegun.output).toBe(6);
  const { runs, tests: judged } = document<ForeignSabotage>(unbegun);
  expect(runs.map(({ because }) => because)).toEqual([unbegunBy, unbegunBy]);
  expect(judged.map(({ state }) => state)).toEqual(['unproven', 'unproven']);
  const lost = await one().run([...live, '--junit', 'lost.xml', ...own]);
  expect(lost.code, lost.output).toBe(6);
  expect(lost.stderr).toContain('error[suite.bad-report] the command after --, in the healthy run');
  expect(unfolded(lost.stderr)).toContain('lost.xml: there is no such file');
  expect(lost.output).not.toContain('vitality');
  const missing = await one().run([...live, '--', 'no-such-runner-anywhere']);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('command.not-started')]);
  const without = await one().run(['sabotage', '--', 'true']);
  expect([without.code, without.stderr]).toEqual([
    2,
    expect.stringContaining('shakedown sabotage --live -- …'),
  ]);
}, 120_000);
