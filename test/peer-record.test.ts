/** A real third party behind the scripted one: recorded, replayed without it, and refused when the system sends other requests. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Project } from './harness/project.ts';
import { latestVerdict, trialsProject, unfolded } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';
import { accessToken, apiKey, startBank } from './peers/real-bank.ts';

const config = `isolation: shared
resources:
  bank:
    kind: http
    because: it moves money
    mode: cassette
    upstream: { url: "\${env.BANK_URL:-http://127.0.0.1:9}", key: BANK_KEY, header: X-Api-Key }
services:
  shop:
    run: [node, services/pays-at-a-bank.mjs]
    listen: { env: PORT }
    ready: { http: /health }
    env: { BANK_URL: "\${bank.url}" }`;

const buys = (more = 'amount: 7'): string => `steps:
  - { http: POST shop/buy, json: { order: "\${trial.uid}", ${more} }, as: bought }
checks:
  paid: { exchange: bought, expect: { json: { state: done, order: "\${trial.uid}", mine: true } } }`;

const passesOn = (asked: string): string => `steps:
  - { http: POST shop/raw, json: { path: ${asked} }, as: asked, expect: { json: { code: 200 } } }`;

const cassette = (project: Project, trial: string): string =>
  path.join(project.folder, `shakedown/cassettes/bank/${trial}.json`);

const rewrite = (project: Project, trials: Readonly<Record<string, string>>): void => {
  for (const [id, text] of Object.entries(trials))
    writeFileSync(path.join(project.folder, `trials/${id}.trial.yaml`), `id: ${id}\n${text}\n`);
};

test('recorded once, replayed without it under other ids, and changes are named', async () => {
  const bank = await startBank();
  const project = trialsProject(config, { buys: buys(), more: buys(), elsewhere: buys(), nowhere: buys() });
  const env = { BANK_URL: bank.url, BANK_KEY: apiKey };
  const recorded = await project.run(['record', '--parallel', '1'], { env });
  expect(recorded.code, recorded.output).toBe(0);
  expect(recorded.output).toContain('recorded shakedown/cassettes/bank/buys.json: 3 calls');
  expect(recorded.output).toMatch(/^same seed +shakedown record --parallel 1 --seed \w+$/m);
  expect(bank.asked.slice(0, 3).map(({ what, key }) => `${what} ${key}`)).toEqual([
    `POST /api/login ${apiKey}`,
    `POST /api/payments?currency=EUR ${apiKey}`,
    expect.stringMatching(new RegExp(`^GET /api/payments/[0-9a-f-]{36} ${apiKey}$`)),
  ]);
  const tape = readFileSync(cassette(project, 'buys'), 'utf8');
  expect(JSON.parse(tape)).toMatchObject({
    cassette: 1,
    kind: 'http',
    resource: 'bank',
    trial: 'buys',
    recordedAt: expect.stringMatching(/^\d{4}-/),
    tool: expect.stringMatching(/^shakedown \d/),
    upstream: new URL(bank.url).origin,
    calls: [
      { caller: 'shop', call: 1, request: { method: 'POST', path: '/login' } },
      { call: 2, request: { path: '/payments', query: { currency: 'EUR' }, json: { amount: 7 } } },
      { call: 3, response: { status: 200, headers: { 'content-type': 'application/json' } } },
    ],
  });
  // A compressed body could contain anything.
  for (const secret of [apiKey, accessToken, 'hunter2', 'session=abc', 'base64'])
    expect(tape).not.toContain(secret);

  const asked = bank.asked.length;
  rewrite(project, {
    more: buys('amount: 8'),
    elsewhere: buys('amount: 7, look: elsewhere'),
    nowhere: buys('amount: 7, look: nowhere'),
  });
  const replayed = await project.run(['run']);
  expect(replayed.code, replayed.output).toBe(1);
  expect(bank.asked).toHaveLength(asked);
  expect(project.left()).toEqual(nothing);
  const { verdicts } = latestVerdict(project);
  expect(verdicts).toEqual({ buys: 'passed', more: 'failed', elsewhere: 'failed', nowhere: 'failed' });
  const text = unfolded(replayed.output);
  expect(text).toContain(
    'the body changed: recorded 7, now 8, at $.amount; record it again: shakedown record more',
  );
  expect(text).toMatch(/an id changed: got [0-9a-f-]{36}, expected [0-9a-f-]{36}; record it again/);
  expect(text).toMatch(
    /line 3 of bank's script for shop was not used: the recorded answer 200 to GET \/payments\//,
  );
});

test('a secret in the name of a header is not in the recording, and the consumer gets it again', async () => {
  const bank = await startBank();
  bank.takes = (_, response) => {
    response.writeHead(200, { [`x-quota-${apiKey}`]: '17', vary: `x-quota-${apiKey}` }).end('fine');
    return true;
  };
  const quota = `steps:
  - { http: POST shop/raw, json: { path: "/q?\${env.BANK_KEY}=1" }, as: asked,
      expect: { json: { quota: ["x-quota-\${env.BANK_KEY}", "17"] } } }`;
  const project = trialsProject(config, { quota });
  const recorded = await project.run(['record'], { env: { BANK_URL: bank.url, BANK_KEY: apiKey } });
  expect(recorded.code, recorded.output).toBe(0);
  expect(readFileSync(cassette(project, 'quota'), 'utf8')).not.toContain(apiKey);
  const replayed = await project.run(['run'], { env: { BANK_KEY: apiKey } });
  expect(replayed.code, replayed.output).toBe(0);
  expect(bank.asked).toHaveLength(1);
});

test('a failed recording leaves the existing one unchanged, and reports it', async () => {
  const bank = await startBank();
  const takes = bank.takes;
  bank.takes = (_, response) => {
    response.end('fine');
    return true;
  };
  const trials = { closed: passesOn('/closed'), cut: passesOn('/cut'), garbage: passesOn('/garbage') };
  const project = trialsProject(config, trials);
  const env = { BANK_URL: bank.url, BANK_KEY: apiKey };
  const good = await project.run(['record'], { env });
  expect(good.code, good.output).toBe(0);
  const before = Object.keys(trials).map((trial) => readFileSync(cassette(project, trial), 'utf8'));
  bank.takes = (request, response) => {
    if (request.url === '/api/closed') response.writeHead(503).end('closed for today');
    else if (request.url === '/api/cut')
      response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"access');
    else response.socket?.end('220 smtp.example ready\r\n');
    return true;
  };
  const bad = await project.run(['record'], { env });
  expect(bad.code, bad.output).toBe(1);
  const text = unfolded(bad.output);
  expect(text).toContain('bank/closed.json stays as it was: GET /closed was answered with 503');
  expect(text).toMatch(
    /bank\/cut\.json stays as it was: the real one at 127\.0\.0\.1:\d+ broke off: aborted/,
  );
  expect(text).toMatch(
    /bank\/garbage\.json stays as it was: the real one at \S+ gave no answer: Parse Error/,
  );
  expect(Object.keys(trials).map((trial) => readFileSync(cassette(project, trial), 'utf8'))).toEqual(before);
  bank.takes = takes;
  const away = trialsProject(config, { buys: buys() });
  const nobody = await away.run(['record'], { env: { ...env, BANK_URL: 'http://127.0.0.1:9' } });
  expect(nobody.code, nobody.output).toBe(1);
  expect(nobody.output).toContain('was not written: the real one at 127.0.0.1:9 gave no answer');
  expect(readdirSync(away.folder)).not.toContain('shakedown');
});

test('a recording that is missing, damaged, or of another party is reported with the command that helps', async () => {
  const whole = { cassette: 1, kind: 'http', resource: 'bank', recordedAt: '', calls: [] };
  const broken: Readonly<Record<string, readonly [file: unknown, shown: string]>> = {
    missing: [
      undefined,
      'there is no recording shakedown/cassettes/bank/missing.json; shakedown record missing',
    ],
    torn: ['{"cassette":1,', 'it is not JSON'],
    model: [{ ...whole, kind: undefined, trial: 'model' }, 'it is a recording of a model'],
    part: [
      { ...whole, trial: 'part', calls: [{ caller: 'shop' }] },
      'calls[0]: `request` is incomplete; record it again: shakedown record part',
    ],
    other: [
      { ...whole, trial: 'other', resource: 'post' },
      'it is a recording of the resource post, and not of bank; set `cassettes` of bank to a folder of its own',
    ],
    moved: [{ ...whole, trial: 'old-name' }, 'it is a recording of the trial old-name'],
  };
  const project = trialsProject(config, {
    ...Object.fromEntries(Object.keys(broken).map((trial) => [trial, buys()])),
    idle: 'steps: [{ http: GET shop/health, expect: { status: 200 } }]',
  });
  mkdirSync(path.dirname(cassette(project, 'x')), { recursive: true });
  for (const [trial, [file]] of Object.entries(broken))
    if (file !== undefined)
      writeFileSync(cassette(project, trial), typeof file === 'string' ? file : JSON.stringify(file));
  const run = await project.run(['run']);
  expect(run.code, run.output).toBe(1);
  for (const [, shown] of Object.values(broken)) expect(unfolded(run.output)).toContain(shown);
  const { missing, idle, ...others } = latestVerdict(project).verdicts;
  expect({ missing, idle }).toEqual({ missing: 'failed', idle: 'passed' });
  expect(new Set(Object.values(others))).toEqual(new Set(['unknown']));
});

test('lines of a script come before the real one, and --peers and --resource choose what is recorded', async () => {
  const bank = await startBank();
  const raw = `peers: { bank: [{ on: GET /scripted, answer: { text: by the script } }] }
steps:
  - { http: POST shop/raw, json: { path: /scripted }, as: scripted, expect: { json: { text: by the script } } }
  - { http: POST shop/raw, json: { path: /old }, as: old, expect: { json: { code: 302, location: "/new?x=1" } } }
  - { http: POST shop/rates, json: { events: 2 }, as: rates, expect: { json: { seen: ['data: {"rate":1}', 'data: {"rate":2}'] } } }`;
  const project = trialsProject(config.replace('mode: cassette', 'mode: script'), { raw });
  const env = { BANK_URL: bank.url, BANK_KEY: apiKey };
  const recorded = await project.run(['record', '--resource', 'bank'], { env });
  expect(recorded.code, recorded.output).toBe(0);
  expect(bank.asked.map(({ what }) => what)).toEqual(['GET /api/old', 'GET /api/rates']);
  expect(bank.left).toBe(1);
  const { calls } = JSON.parse(readFileSync(cassette(project, 'raw'), 'utf8'));
  expect(calls).toMatchObject([
    { response: { status: 302, headers: { location: '/new?x=1' }, end: 'whole' } },
    { response: { status: 200, headers: { 'content-type': 'text/event-stream' }, end: 'hang' } },
  ]);
  const scripted = await project.run(['run']);
  expect(scripted.code, scripted.output).toBe(1);
  expect(unfolded(scripted.output)).toContain('GET /old is not scripted for bank');
  const played = await project.run(['run', '--peers', 'cassette']);
  expect(played.code, played.output).toBe(0);
  const again = await project.run(['rerun']);
  expect(again.code, again.output).toBe(0);
});

test('a peer that cannot be recorded is named before anything starts', async () => {
  const project = trialsProject(config, { buys: buys() });
  const without = trialsProject(config.replace(/\n.*upstream:.*/, ''), { buys: buys() });
  for (const [made, words, what] of [
    [project, ['run', '--peers', 'casette'], 'did you mean `--peers cassette`?'],
    [project, ['record', '--attach'], 'the modes of models and third parties cannot be changed'],
    [project, ['record', '--resource', 'bnk'], 'did you mean `--resource bank`?'],
    [project, ['record', '--resource', 'shop'], 'there is no resource "shop"'],
    [without, ['record', '--resource', 'bank'], 'the resource bank has no real upstream'],
    [without, ['record'], 'nothing can be recorded'],
    [without, ['run', '--peers', 'record'], 'no resource of the kind `http` with an `upstream`'],
  ] as const) {
    const wrong = await made.run(words);
    expect(wrong.code, wrong.output).toBe(2);
    expect(unfolded(wrong.output)).toContain(what);
  }
  const keyless = await project.run(['record'], { env: { BANK_URL: 'http://127.0.0.1:9' } });
  expect(keyless.code, keyless.output).toBe(2);
  expect(unfolded(keyless.output)).toContain('the environment variable BANK_KEY is not set, or empty');
});
