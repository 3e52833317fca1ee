/** Mutants of a stored run: checks that cannot fail are named, and unread evidence is reported with a check to paste. */
import { appendFileSync, readFileSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Sabotaged } from '../src/campaigns/sabotage/sabotage-run.ts';
import type { Project } from './harness/project.ts';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const bank = `import { createServer } from 'node:http';
const accounts = new Map([['ada', 100]]);
createServer((request, response) => {
  let text = '';
  request.on('data', (data) => (text += data)).on('end', () => {
    const { account, amount } = text === '' ? {} : JSON.parse(text);
    const balance = (accounts.get(account) ?? 0) - (amount ?? 0);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, account, amount, balance }));
  });
}).listen(process.env.PORT, '127.0.0.1');
`;

const config = `isolation: shared
services:
  bank: { run: [node, bank.mjs], listen: { env: PORT }, ready: { tcp: true } }`;

const pay = (expected: string, checks = ''): string => `steps:
  - http: POST bank/pay
    json: { account: ada, amount: 10 }
    as: paid
    expect: ${expected}
${checks}`;

interface Said extends Sabotaged {
  readonly findings: ReadonlyArray<{ readonly trial: string; readonly check: string; readonly kind: string }>;
  readonly exitCode: number;
}

async function sabotage(
  project: Project,
  ...args: readonly string[]
): Promise<Said & { code: number | null }> {
  const { code, stdout } = await project.run(['sabotage', '--json', ...args]);
  return { ...(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Said), code };
}

test('a check that reads what was sent, and one that every answer fulfils, are named; the strong one is not', async () => {
  const project = trialsProject(
    config,
    {
      weak: pay(
        '{ status: 200 }',
        `checks:
  own: { exchange: paid, expect: { request: { json: { amount: 10 } } } }
  anything: { exchange: paid, expect: { json: { balance: { $any: [90, { $not: 90 }] } } } }
  misspelt: { exchange: paid, expect: { json: { balence: { $absent: true } } } }
  strong: { exchange: paid, expect: { json: { balance: 90 } } }`,
      ),
    },
    { 'bank.mjs': bank },
  );
  await performTrials(project);
  const said = await sabotage(project);
  expect(said.code).toBe(6);
  expect(said.findings.map(({ check, kind }) => [check, kind])).toEqual([
    ['own', 'reads-nothing'],
    ['anything', 'accepts-anything'],
    ['misspelt', 'unknown-field'],
  ]);
  expect(said).toMatchObject({ checks: 5, vital: 2, vitality: 0.4 });

  const { output, code } = await project.run(['sabotage']);
  expect(code).toBe(6);
  const text = unfolded(output);
  expect(text).toContain('✗ weak, own trials/weak.trial.yaml:8');
  expect(text).toContain('it reads nothing that the system decides');
  expect(text).toContain('vitality 40 %: 2 of 5 checks can fail');
});

test('unread evidence is reported with a check that covers it; a removed check is reported as a loss', async () => {
  const checks = 'checks:\n  balance: { exchange: paid, expect: { json: { balance: 90 } } }\n';
  const project = trialsProject(config, { pays: pay('{ status: 200 }', checks) }, { 'bank.mjs': bank });
  await performTrials(project);
  const whole = await sabotage(project);
  expect(whole.code).toBe(0);
  expect(whole).toMatchObject({ vitality: 1, checks: 2 });
  expect(whole.exposures.map(({ path: place }) => place)).toEqual(['$.json.ok']);

  const file = path.join(project.folder, 'trials/pays.trial.yaml');
  const written = readFileSync(file, 'utf8');
  writeFileSync(file, written.replace(checks, ''));
  await performTrials(project);
  const [lost, ...others] = (await sabotage(project)).exposures;
  expect(lost).toMatchObject({ lost: 'balance', trial: 'pays', file: 'trials/pays.trial.yaml' });
  expect(lost?.text).toBe(
    'the check `balance` is gone: nothing reads `json.balance` of exchange paid any more',
  );
  const exposed = others.find(({ path: place }) => place === '$.json.balance');
  expect(exposed?.text).toBe(
    '`json.balance` of exchange paid could have been 0 instead of 90, and the one check would still pass',
  );

  // What is offered to be pasted is a check that holds, and after it nothing is exposed there.
  appendFileSync(file, `checks:\n${exposed?.check}\n`);
  expect((await performTrials(project)).code).toBe(0);
  const again = await sabotage(project);
  expect(again.code).toBe(0);
  expect(again.exposures.map(({ path: place }) => place)).not.toContain('$.json.balance');
});

test('a value that fed a later step is left to live sabotage', async () => {
  const project = trialsProject(
    config,
    {
      chain: `steps:
  - { http: POST bank/pay, json: { account: ada, amount: 10 }, as: first, expect: { status: 200 } }
  - { http: POST bank/pay, json: { account: ada, amount: "\${first.json.balance}" }, as: second, expect: { status: 200 } }`,
    },
    { 'bank.mjs': bank },
  );
  await performTrials(project);
  const { exposures, counterfactual } = await sabotage(project);
  expect(counterfactual).toEqual([{ trial: 'chain', step: 'first', path: '$.json.balance' }]);
  expect(exposures.map(({ source, path: place }) => `${source} ${place}`)).toContain(
    'exchange second $.json.balance',
  );
  expect(exposures.map(({ source, path: place }) => `${source} ${place}`)).not.toContain(
    'exchange first $.json.balance',
  );
});

test('accepted findings do not fail; a stale entry does, until it is pruned', async () => {
  const weak = 'checks:\n  own: { exchange: paid, expect: { request: { json: { amount: 10 } } } }\n';
  const project = trialsProject(config, { pays: pay('{ status: 200 }', weak) }, { 'bank.mjs': bank });
  await performTrials(project);
  expect((await sabotage(project)).code).toBe(6);
  expect((await sabotage(project, '--accept', 'until the balance is read')).code).toBe(0);
  expect((await sabotage(project)).code).toBe(0);

  const file = path.join(project.folder, 'trials/pays.trial.yaml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('request: { json: { amount: 10 } }', 'json: { balance: 90 }'),
  );
  await performTrials(project);
  const { code, output } = await project.run(['sabotage']);
  expect(code).toBe(6);
  expect(unfolded(output)).toContain('pays, own is accepted in shakedown/sabotage-baseline.yaml');
  expect((await sabotage(project, '--prune')).code).toBe(0);
  expect((await sabotage(project)).code).toBe(0);
});

test('a suite that cannot be read, a flow that was changed, a trial that is gone and a partial run are reported', async () => {
  const flow = (pattern: string): string => `import { flow } from 'shakedown';
flow('pays', { id: 'code' }, async ({ http, check }) => {
  check('paid', await http('bank').post('/pay', { json: { account: 'ada', amount: 10 } }), ${pattern});
});
`;
  const project = trialsProject(
    config,
    { pays: pay('{ status: 200 }') },
    { 'bank.mjs': bank, 'trials/code.flow.ts': flow('{ status: 200 }') },
  );
  await performTrials(project);
  expect((await sabotage(project)).code).toBe(0);

  const write = (file: string, text: string): void => writeFileSync(path.join(project.folder, file), text);
  write('trials/z.trial.yaml', 'id: [');
  expect((await project.run(['sabotage'])).code).toBe(2);
  write('trials/z.trial.yaml', `id: later\n${pay('{ status: 200 }')}\n`);
  const part = await sabotage(project);
  expect(part.code).toBe(0);
  expect(part.notJudged).toEqual([{ trial: 'later', code: 'not-performed', why: 'it is not in the run' }]);

  write('trials/code.flow.ts', flow('{ status: { $gte: 100 } }'));
  const changed = await sabotage(project);
  expect(changed.code).toBe(6);
  expect(changed.notJudged.map(({ trial }) => trial)).toEqual(['code', 'later']);

  write('trials/pays.trial.yaml', `id: other\n${pay('{ status: 200 }')}\n`);
  const gone = await project.run(['sabotage']);
  expect(gone.code).toBe(2);
  expect(unfolded(gone.output)).toContain('no trial of this run can be sabotaged: code: it was changed');

  // The newest run is damaged: the one before it is not a substitute.
  await performTrials(project);
  truncateSync(path.join(project.folder, '.shakedown/latest/plan.json'), 200);
  const torn = await project.run(['sabotage']);
  expect(torn.code).toBe(2);
  expect(unfolded(torn.output)).toContain('the run folder cannot be read');
});

const inFlow = (code: string): string => `import { flow } from 'shakedown';
flow('pays', { id: 'code' }, async ({ http, check, url }) => {
  const paid = await http('bank').post('/pay', { json: { account: 'ada', amount: 10 } });
  ${code}
});
`;

test('the code of a flow runs again on mutated answers: closures, computed values, what is compared with itself', async () => {
  const code = `
  check('weak-closure', () => paid.status > 0);
  check('closure', () => paid.json.balance === 90 || 'it is ' + paid.json.balance);
  check('itself', paid, { json: { balance: paid.json.balance } });
  check('computed', Math.abs(paid.json.balance) >= 0, true);
  check('right', paid.json.balance + 10, 100);`;
  const project = trialsProject(config, {}, { 'bank.mjs': bank, 'trials/code.flow.ts': inFlow(code) });
  await performTrials(project);
  const { code: exitCode, trials } = await sabotage(project);
  expect(exitCode).toBe(6);
  const vital = Object.fromEntries((trials[0]?.checks ?? []).map((check) => [check.id, check.vital]));
  expect(vital).toEqual({
    'weak-closure': false,
    closure: true,
    itself: false,
    computed: false,
    right: true,
  });
});

test('where nothing could be examined, nothing is proven', async () => {
  // What it asks for by other means than `fetch` is not answered from the record.
  const code = `const { get } = await import('node:http');
  await new Promise((go) => get(url('bank') + '/health', (answer) => answer.resume().on('end', go)));
  check('paid', () => paid.status > 0);
  check('computed', String(paid.status), '200');`;
  const project = trialsProject(config, {}, { 'bank.mjs': bank, 'trials/code.flow.ts': inFlow(code) });
  await performTrials(project);
  expect(await sabotage(project)).toMatchObject({ code: 6, checks: 0, vital: 0 });
});

test('evidence of a trial that was removed since proves nothing about the suite', async () => {
  const strong = pay('{ status: 200, json: { balance: 90 } }');
  const project = trialsProject(config, { gone: strong, pays: strong }, { 'bank.mjs': bank });
  await performTrials(project);
  unlinkSync(path.join(project.folder, 'trials/gone.trial.yaml'));
  const { code, notJudged } = await sabotage(project);
  expect({ code, notJudged }).toMatchObject({ code: 6, notJudged: [{ trial: 'gone', code: 'outdated' }] });
});

test('a trial that was changed since, a run in which nothing passed, and a damaged run say so', async () => {
  const project = trialsProject(config, { pays: pay('{ status: 200 }') }, { 'bank.mjs': bank });
  expect((await project.run(['sabotage'])).code).toBe(2);

  await performTrials(project);
  const file = path.join(project.folder, 'trials/pays.trial.yaml');
  const written = readFileSync(file, 'utf8');
  writeFileSync(file, written.replace('status: 200', 'status: 201'));
  const changed = await project.run(['sabotage']);
  expect(changed.code).toBe(2);
  expect(unfolded(changed.output)).toContain(
    'pays: it was changed since the run; run it again: shakedown run pays',
  );

  await performTrials(project);
  const failed = await project.run(['sabotage']);
  expect(failed.code).toBe(2);
  expect(unfolded(failed.output)).toContain('no trial of this run can be sabotaged: pays: it is failed');

  writeFileSync(file, written);
  await performTrials(project);
  const journal = path.join(project.folder, '.shakedown/latest/trials/pays/events.ndjson');
  const lines = readFileSync(journal, 'utf8');
  truncateSync(journal, lines.length - 30);
  const torn = await project.run(['sabotage']);
  expect(torn.code).toBe(2);
  writeFileSync(journal, lines.replace('"journal":2', '"journal":7'));
  const other = await project.run(['sabotage']);
  expect(other.code).toBe(2);
  expect(unfolded(other.output)).toContain('pays: it is unknown');

  expect((await project.run(['sabotage', '--exposures', 'many'])).code).toBe(2);
});
