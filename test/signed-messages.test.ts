/** A signature is checked by a pattern: of what a third party gets, of an answer, and where a line of a script chooses. */
import { expect, test } from 'vitest';
import type { Project } from './harness/project.ts';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const key = 'a-key-of-the-test-own';
const config = `isolation: shared
resources: { partner: { kind: http, because: it is another company } }
services:
  shop: { run: [node, shop.mjs], listen: { env: PORT }, env: { PARTNER: "\${partner.url}", KEY: "\${env.HOOK_KEY:-${key}}", DEFECT: "\${env.DEFECT:-}" } }`;

/** Tells a partner of each order, signed as GitHub and as Stripe do; JSON with spaces, as Python writes it. */
const shop = `import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
const { PARTNER, KEY, DEFECT, PORT } = process.env;
const mac = (text) => createHmac('sha256', DEFECT === 'other-key' ? 'another' : KEY).update(text).digest('hex');
createServer(async (request, response) => {
  const order = JSON.parse((await request.toArray()).join(''));
  const body = JSON.stringify({ ...order, note: 'grüß', price: 10 }, null, 1);
  const signed = DEFECT === 'signs-other-spaces' ? JSON.stringify(JSON.parse(body)) : body;
  const headers = {
    'content-type': 'application/json',
    'x-hub-signature-256': 'sha256=' + mac(signed),
    'stripe-signature': 't=17,v1=' + mac('17.' + signed) + ',v0=x',
  };
  const told = await fetch(PARTNER + '/hook', { method: 'POST', headers, body });
  const answer = JSON.stringify({ told: told.status }, null, 1);
  response.writeHead(200, { 'content-type': 'application/json', 'x-signature': mac(answer) }).end(answer);
}).listen(PORT, '127.0.0.1');
`;

const github = `$hmac: { key: "${key}", in: headers.x-hub-signature-256, prefix: "sha256=" }`;
const stripe = `$hmac: { key: "${key}", in: headers.stripe-signature, field: v1, of: "{t}.{body}" }`;
const order = `steps: [{ http: POST shop/orders, json: { item: tea }, as: placed }]`;
const lines = (where = ''): string =>
  `peers: { partner: [{ on: POST /hook, ${where}answer: { status: 202 } }] }`;

const project = (): Project =>
  trialsProject(
    config,
    {
      checked: `${lines()}\n${order}
checks:
  github: { calls: shop -> partner, expect: [{ request: { ${github} } }] }
  stripe: { calls: shop -> partner, expect: [{ request: { ${stripe} } }] }
  answer: { exchange: placed, expect: { $hmac: { key: "${key}", in: headers.x-signature }, json: { told: 202 } } }`,
      vacuous: `${lines()}\n${order}
checks:
  other: { exchange: placed, expect: { $not: { $hmac: { key: wrong, in: headers.x-signature } } } }`,
      chosen: `${lines(`where: { ${github}, json: { item: tea } }, `)}\n${order}
checks: { told: { exchange: placed, expect: { json: { told: 202 } } } }`,
    },
    { 'shop.mjs': shop },
  );

test('it holds for what was signed with this key, byte by byte, and sabotage turns each such check red', async () => {
  const suite = project();
  const run = await performTrials(suite);
  expect(run.code, run.text).toBe(0);
  const { stdout } = await suite.run(['sabotage', '--json']);
  const { trials } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as {
    trials: { id: string; checks: { id: string; vital: boolean }[] }[];
  };
  const vital = trials.flatMap(({ id, checks }) => checks.map((check) => [`${id} ${check.id}`, check.vital]));
  expect(Object.fromEntries(vital)).toEqual({
    'checked github': true,
    'checked stripe': true,
    'checked answer': true,
    'vacuous other': false,
    'chosen told': true,
  });
});

test.each(['other-key', 'signs-other-spaces'])(
  '%s: every one of them fails, and does not show the key',
  async (DEFECT) => {
    const suite = project();
    const { code, output } = await suite.run(['run', 'checked', 'chosen'], { env: { DEFECT } });
    expect(code, output).toBe(1);
    expect(output).toMatch(/✗ github/);
    expect(output).toMatch(/✗ stripe/);
    if (DEFECT === 'other-key') expect(output).toMatch(/✗ answer/);
    expect(output).toMatch(/✗ chosen/);
    expect(output.replaceAll(/\s+/g, ' ')).toMatch(
      /expected sha256=[0-9a-f]{64}, the HMAC-SHA256 of \{body\}/,
    );
    expect(output).not.toContain(key);
  },
);

test('a declared secret as the key is known to a line, and leaves a check unknown with the reason', async () => {
  const named = (pattern: string): string => pattern.replace(`"${key}"`, '"${env.HOOK_KEY}"');
  const suite = trialsProject(
    `secrets: [HOOK_KEY]\n${config}`,
    {
      chosen: `${lines(`where: { ${named(github)} }, `)}\n${order}
checks: { told: { exchange: placed, expect: { json: { told: 202 } } } }`,
      checked: `${lines()}\n${order}
checks: { github: { calls: shop -> partner, expect: [{ request: { ${named(github)} } }] } }`,
    },
    { 'shop.mjs': shop },
  );
  const { code, output } = await suite.run(['run'], { env: { HOOK_KEY: 'whsec-0123456789abcdef' } });
  expect(code, output).toBe(6);
  expect(output).toMatch(/✓ chosen/);
  expect(output.replaceAll(/\s+/g, ' ')).toMatch(
    /secret HOOK_KEY, of which only a token is kept: give the check/,
  );
  expect(output).not.toContain('whsec-0123456789abcdef');
});
