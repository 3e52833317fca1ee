/** Live sabotage: with a service dead, sending junk, or answering with another's data, a trial that stays green is named. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Project } from './harness/project.ts';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

const config = `isolation: shared
resources:
  bank:
    kind: http
    because: it belongs to somebody else
    standing:
      - { on: GET /account, where: { query: { of: ada } }, answer: { json: { owner: ada, balance: 12 } } }
      - { on: GET /account, where: { query: { of: bob } }, answer: { json: { owner: bob, balance: 900 } } }
services:
  store: { run: [node, services/keeps-lines.mjs], listen: { env: PORT, scheme: tcp } }
  shop:
    run: [node, services/takes-orders.mjs]
    listen: { env: PORT }
    ready: { http: /health }
    env: { STORE: "\${store.url}", BANK_URL: "\${bank.url}" }
    after: [store]`;

const order = 'http: POST shop/orders, json: { id: "${trial.uid}", item: tea }, as: placed';

const trials = {
  weak: `steps: [{ ${order} }]\nchecks: { taken: { exchange: placed, expect: { status: 201 } } }`,
  strong: `steps:
  - { ${order} }
  - { http: "GET shop/orders/\${trial.uid}", as: read }
checks: { kept: { exchange: read, expect: { status: 200, json: { item: tea } } } }`,
  direct: `steps:
  - { tcp: store, codec: newline-json, as: line }
  - { on: line, send: [put, "\${trial.uid}", tea], receive: 1, as: said }
checks: { kept: { exchange: said, expect: { received: [ok] } } }`,
  idle: `steps: [{ command: [node, -e, "console.log(1)"], env: { STORE: "\${store.url}" }, as: said }, { http: GET shop/health, expect: { json: { ok: true } } }]
checks: { said: { exchange: said, expect: { stdout: "1\\n" } } }`,
  apart: `steps: [{ http: GET shop/health, as: health }]\nchecks: { well: { exchange: health, expect: { json: { ok: true } } } }`,
  'whose-weak': `steps: [{ http: "GET shop/account?of=ada", as: account }]
checks: { there: { exchange: account, expect: { status: 200 } } }`,
  'whose-strong': `steps: [{ http: "GET shop/account?of=bob", as: account }]
checks: { mine: { exchange: account, expect: { json: { owner: bob } } } }`,
  disturbing: `steps: [{ http: "GET shop/account?of=ada", as: account }]
disturb: [{ edge: shop -> bank, answer: { status: 200, text: junk } }]
checks: { told: { exchange: account, expect: { status: 502 } } }`,
  killing: `isolation: fresh
steps: [{ kill: store }, { ${order} }]
checks: { taken: { exchange: placed, expect: { status: 201 } } }`,
} as const;

interface LiveJson {
  readonly live: {
    readonly mutants: number;
    readonly trials: number;
    readonly attempts: number;
    readonly noticed: number;
    readonly findings: readonly {
      service: string;
      mutant: string;
      trial: string;
      file: string;
      line: number;
    }[];
    readonly provesNothing: number;
    readonly notMet: number;
    readonly notPossible: readonly { service: string; mutant: string; because: string }[];
    readonly exempt: readonly { service: string; trial: string; because: string }[];
    readonly left: readonly { service: string; mutant: string; trials: number }[];
    readonly baseline: { readonly accepted: readonly object[]; readonly stale: readonly object[] };
    readonly undecided: readonly object[];
  };
  readonly exitCode: number;
}

async function sabotage(
  project: Project,
  ...args: readonly string[]
): Promise<{ code: number | null; text: string; output: string }> {
  const { code, output } = await project.run(['sabotage', '--live', ...args]);
  expect(project.left(), output).toEqual(nothing);
  return { code, text: unfolded(output), output };
}

function jsonOf(output: string): LiveJson {
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as LiveJson;
}

function keys(findings: LiveJson['live']['findings']): readonly string[] {
  return findings.map(({ service, mutant, trial }) => `${service} ${mutant}: ${trial}`);
}

test('the trials that do not notice are named, and no others', async () => {
  const project = trialsProject(config, trials);
  expect((await performTrials(project)).verdict.counts.passed).toBe(9);
  const { code, output } = await sabotage(project, '--json');
  const { live, exitCode } = jsonOf(output);
  expect({ code, exitCode }, output).toEqual({ code: 6, exitCode: 6 });
  expect(keys(live.findings), output).toEqual([
    'bank other-tenant: whose-weak',
    'bank wrong: whose-weak',
    'shop garbage: whose-weak',
    'shop other-tenant: whose-weak',
    'shop wrong: whose-weak',
    'store dead: weak',
    'store garbage: weak',
  ]);
  expect(live.findings[5]).toEqual({
    service: 'store',
    mutant: 'dead',
    trial: 'weak',
    file: 'trials/weak.trial.yaml',
    line: 1,
    text: 'it stays green with store dead, which it met on shop -> store',
  });
  // Its own connection was refused: eight times that to the shop, once that to the store.
  expect(live.provesNothing, output).toBe(9);
  // A program that has the address of the store, and never called it; and orders, of which only the id is answered.
  expect(live.notMet, output).toBe(4);
  expect(live.notPossible).toEqual([
    { service: 'store', mutant: 'wrong', because: expect.stringContaining('is not HTTP') },
    { service: 'store', mutant: 'other-tenant', because: expect.stringContaining('is not HTTP') },
  ]);
  expect(live.exempt).toEqual([
    { service: 'bank', trial: 'disturbing', because: 'it disturbs shop -> bank itself' },
    { service: 'store', trial: 'killing', because: 'it does `kill: store` itself' },
  ]);
  expect(live).toMatchObject({ mutants: 10, trials: 9, left: [], undecided: [], notTried: [] });
  expect(live.attempts).toBe(live.noticed + live.findings.length + live.provesNothing + live.notMet);
  const latest = readFileSync(path.join(project.folder, '.shakedown/latest/plan.json'), 'utf8');
  expect(JSON.parse(latest)).toMatchObject({ kind: 'run' });
});

test('accepted findings do not fail; a stale entry does, until it is removed', async () => {
  const project = trialsProject(config, { weak: trials.weak });
  await performTrials(project);
  const found = await sabotage(project);
  expect(found.code, found.output).toBe(6);
  expect(found.text).toContain('This trial stays green with store dead ✗ weak trials/weak.trial.yaml:1');
  expect(found.text).toContain('shakedown sabotage --live --accept "REASON"');
  const accepted = await sabotage(project, '--accept', 'a report, read by nobody');
  expect(accepted.code, accepted.output).toBe(0);
  expect(accepted.text).toContain('weak with store dead: accepted, a report, read by nobody');
  const file = path.join(project.folder, 'shakedown/sabotage-baseline.yaml');
  writeFileSync(
    file,
    `${readFileSync(file, 'utf8')}  - { service: shop, lie: garbage, trial: weak, reason: once it was so }
  - { service: store, lie: dead, trial: gone, reason: its trial was taken away }
  - { service: shop, lie: dead, trial: weak, reason: its own connection is refused }
  - { service: store, lie: other-tenant, trial: weak, reason: nobody can tell this lie }\n`,
  );
  const stale = await sabotage(project, '--json');
  expect(stale.code, stale.output).toBe(6);
  expect(jsonOf(stale.output).live).toMatchObject({
    findings: [],
    baseline: {
      accepted: [{ mutant: 'dead' }, { mutant: 'garbage' }],
      stale: [{ service: 'shop', mutant: 'garbage' }, { trial: 'gone' }],
    },
  });
  const pruned = await sabotage(project, '--prune');
  expect(pruned.code, pruned.output).toBe(0);
  const kept = readFileSync(file, 'utf8');
  expect(kept).not.toMatch(/once it was so|its trial was taken away/);
  // What was not tried, or showed nothing, gives no new information.
  expect(kept).toMatch(/its own connection is refused[\s\S]*nobody can tell this lie/);
});

test('a program that fails to parse garbage has not read the content: other values survive it', async () => {
  const parses = `steps:
  - command: [node, -e, "fetch(process.env.SHOP + '/account?of=ada').then((a) => (a.ok ? a.json() : Promise.reject(a.status))).then(() => console.log(1))"]
    env: { SHOP: "\${shop.url}" }
    as: said
checks: { said: { exchange: said, expect: { stdout: "1\\n" } } }`;
  const reads = parses.replace('() => console.log(1)', '({ balance }) => console.log(balance - 11)');
  const project = trialsProject(config, { parses, reads });
  expect((await performTrials(project)).verdict.counts.passed).toBe(2);
  const { output } = await sabotage(project, '--json');
  const { live } = jsonOf(output);
  expect(keys(live.findings), output).toEqual(['bank wrong: parses', 'shop wrong: parses']);
});

/** Nothing leads to it. It opens one connection at its start, asks for work on it, and never opens another. */
const worker = `import { connect } from 'node:net';
const [host, port] = process.env.STORE.replace(/^tcp:../, '').split(':');
const socket = connect({ host, port: Number(port) }).on('error', () => undefined);
setInterval(() => socket.writable && socket.write('["get","job"]\\n'), 30);
socket.on('data', (data) => String(data).startsWith('null') && console.log('no work'));
`;

test('a worker that nothing calls meets a mutant in what it reads, and when its open connection is reset', async () => {
  const health = 'steps: [{ http: GET shop/health, expect: { json: { ok: true } } }]';
  const project = trialsProject(
    `${config}\n  worker: { run: [node, worker.mjs], env: { STORE: "\${store.url}" }, after: [store] }\nedges: { "worker -> store": { idle: { below: 100KB/s } } }`,
    {
      deaf: health,
      hears: `${health}\nchecks: { asks: { logs: worker, expect: { $contains: { text: no work } }, within: 2s } }`,
    },
    { 'worker.mjs': worker },
  );
  const performed = await performTrials(project);
  expect(performed.verdict.counts.passed, performed.text).toBe(2);
  const { output } = await sabotage(project, '--json');
  const { live } = jsonOf(output);
  expect(keys(live.findings), output).toEqual(['store dead: deaf', 'store garbage: deaf']);
  expect(output).toContain('it stays green with store dead, which it met on worker -> store');
  expect(live.notMet).toBe(0);
});

test('a trial that cannot decide has not noticed', async () => {
  // Its program swallows that the shop is dead; then no call meets the disturbance behind it, and the trial is unknown.
  const unsure = `steps:
  - command: [node, -e, "fetch(process.env.SHOP + '/account?of=ada').catch(() => 0).then(() => console.log(1))"]
    env: { SHOP: "\${shop.url}" }
    as: said
disturb: [{ edge: shop -> bank, answer: { status: 200, text: junk } }]
checks: { said: { exchange: said, expect: { stdout: "1\\n" } } }`;
  const project = trialsProject(config, { unsure });
  expect((await performTrials(project)).verdict.counts.passed).toBe(1);
  const { code, output } = await sabotage(project, '--json');
  const { live } = jsonOf(output);
  expect(live, output).toMatchObject({
    attempts: 2,
    noticed: 0,
    // What the shop answers to junk is a refusal, in which no value could be another.
    findings: [{ service: 'shop', mutant: 'garbage' }],
    undecided: [{ service: 'shop', mutant: 'dead', because: expect.stringContaining('was not felt') }],
  });
  expect(code, output).toBe(6);
});

test('when time is up, what was not tried is reported, and nothing of it is stale', async () => {
  const project = trialsProject(
    config,
    { weak: trials.weak },
    {
      'shakedown/sabotage-baseline.yaml':
        'live: [{ service: store, lie: dead, trial: weak, reason: known }]\n',
    },
  );
  await performTrials(project);
  const { code, output } = await sabotage(project, '--within', '1ms', '--json');
  const { live } = jsonOf(output);
  expect(code, output).toBe(5);
  expect(live).toMatchObject({ findings: [], attempts: 0, baseline: { stale: [] } });
  expect(live.left.map(({ service, mutant, trials: count }) => `${service} ${mutant} ${count}`)).toEqual([
    'store dead 1',
    'store garbage 1',
    'shop dead 1',
    'shop garbage 1',
    'shop wrong 1',
  ]);
});

test('a run that cannot be trusted is refused in four parts, before anything is booted', async () => {
  const project = trialsProject(config, { apart: trials.apart });
  const refused = async (...args: readonly string[]): Promise<string> => {
    const { code, text, output } = await sabotage(project, ...args);
    expect(code, output).toBe(2);
    for (const part of ['what', 'allowed', 'next']) expect(output).toMatch(new RegExp(`^ +${part} `, 'm'));
    return text;
  };
  expect(await refused()).toContain('there is no run "latest" here');
  const { verdict } = await performTrials(project);
  const folder = path.join(project.folder, '.shakedown/runs', verdict.run);
  const tampered = async (name: string, change: (text: string) => string): Promise<string> => {
    const file = path.join(name.startsWith('trials/apart.') ? project.folder : folder, name);
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, change(before));
    const text = await refused();
    writeFileSync(file, before);
    return text;
  };
  expect(
    await tampered('trials/apart.trial.yaml', (text) => text.replace('ok: true', 'ok: false')),
  ).toContain('changed since the run: apart');
  expect(await tampered('trials/apart/events.ndjson', (text) => text.slice(0, -20))).toContain(
    'run.unreadable',
  );
  expect(
    await tampered('trials/apart/events.ndjson', (text) => text.replace('"journal":2', '"journal":3')),
  ).toContain('journal.unreadable');
  expect(
    await tampered('plan.json', (text) => text.replace('"schemaVersion": 1', '"schemaVersion": 2')),
  ).toContain('its checksum does not match');
  expect(await refused('--within', 'soon')).toContain('a duration such as 90s');
  rmSync(path.join(folder, 'outcome.json'));
  expect(await refused()).toContain('interrupted before its end');
});

test('a run in which nothing passed has nothing to test', async () => {
  const project = trialsProject(config, { apart: trials.apart.replace('ok: true', 'ok: false') });
  expect((await performTrials(project)).code).toBe(1);
  const { code, text } = await sabotage(project);
  expect(code, text).toBe(2);
  expect(text).toContain('error[run.nothing-passed]');
  expect(text).toContain('apart: it is failed in the run');
  const alone = await project.run(['sabotage', '--within', '60s']);
  expect(alone.code).toBe(2);
  expect(alone.output).toContain('`--within` needs `--live`');
});
