/** `shop -> bank` is every listener of bank; `shop -> bank.admin` is that one alone. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const shop = `import { createServer } from 'node:http';
import { connect } from 'node:net';
const ask = async (base, path) => (await fetch(base + path, { method: 'POST' })).text();
const shout = (port) => new Promise((done) => connect(port, '127.0.0.1').end('hello').on('close', () => done('sent')).resume());
createServer(async (request, response) => {
  const [, where] = request.url.split('/');
  if (where === 'public') return response.end(await ask(process.env.BANK, '/charge'));
  if (where === 'admin') return response.end(await ask(process.env.ADMIN, '/charge'));
  if (where === 'raw') return response.end(await shout(Number(process.env.RAW)));
  response.end('refused');
}).listen(process.env.PORT, '127.0.0.1');
`;
const bank = `import { createServer } from 'node:http';
import { createServer as createRaw } from 'node:net';
const { PORT, ADMIN_PORT, RAW_PORT, LEDGER } = process.env;
for (const port of [PORT, ADMIN_PORT])
  createServer(async (request, response) => {
    if (request.url === '/charge') await fetch(LEDGER + '/entry', { method: 'POST' });
    response.end('charged');
  }).listen(port, '127.0.0.1');
createRaw((socket) => socket.resume().on('end', () => socket.end('bye'))).listen(RAW_PORT, '127.0.0.1');
`;
const ledger = `import { createServer } from 'node:http';
for (const port of [process.env.PORT, process.env.AUDIT_PORT])
  createServer((_, response) => response.end('{}')).listen(port, '127.0.0.1');
`;
const config = `services:
  shop:
    run: [node, shop.mjs]
    listen: { env: PORT }
    env: { BANK: "\${bank.url}", ADMIN: "\${bank.admin.url}", RAW: "\${bank.raw.port}" }
  bank:
    run: [node, bank.mjs]
    listen: [{ env: PORT }, { env: ADMIN_PORT, name: admin }, { env: RAW_PORT, name: raw, scheme: tcp }]
    env: { LEDGER: "\${ledger.audit.url}" }
  ledger: { run: [node, ledger.mjs], listen: [{ env: PORT }, { env: AUDIT_PORT, name: audit }] }
relays: { charge: { incoming: shop -> bank.admin, outgoing: bank -> ledger.audit, same: [request.json.amount] } }
`;
const files = { 'shop.mjs': shop, 'bank.mjs': bank, 'ledger.mjs': ledger };

const absent = (edge: string, provenBy: string): string => `
  listed: { calls: ${edge}, where: { path: /charge }, count: 0, provenBy: ${provenBy} }
  never: { calls: ${edge}, never: { $some: { path: /charge } }, provenBy: ${provenBy} }
  ordered: { order: [{ never: ${edge} }, { exchange: r, phase: end }], provenBy: ${provenBy} }`;

test('checks over calls to a service look at all of its listeners', async () => {
  const project = trialsProject(
    config,
    {
      public: 'steps: [{ http: GET shop/public }]\nchecks: { it: { calls: shop -> bank, count: 1 } }',
      admin: `steps: [{ http: GET shop/admin, as: r }]
checks:
  all: { calls: shop -> bank, expect: [{ to: bank.admin, crossing: 1, path: /charge }] }
  only-this: { calls: shop -> bank.admin, count: 1 }
  in-order: { order: [{ calls: shop -> bank }, { calls: bank -> ledger }] }
  found: { correlate: { id: charged, through: [{ calls: shop -> bank }] } }
  ledger: { calls: bank -> ledger, count: 1 }
  nothing-else: { changes: [calls], only: [all, ledger], expect: [] }
  not-the-first: { calls: shop -> bank, where: { to: bank }, count: 0, provenBy: public }`,
      wrong: `steps: [{ http: GET shop/admin, as: r }]\nchecks:${absent('shop -> bank', 'public')}`,
      refused: `steps: [{ http: GET shop/none, as: r }]\nchecks:${absent('shop -> bank', 'public')}`,
      elsewhere: `steps: [{ http: GET shop/public, as: r }]\nchecks:${absent('shop -> bank.admin', 'admin')}`,
      unproven: `steps: [{ http: GET shop/none, as: r }]\nchecks:${absent('shop -> bank.admin', 'public')}`,
      unread: `steps: [{ http: GET shop/raw, as: r }]\nchecks:${absent('shop -> bank', 'public')}`,
    },
    files,
  );
  const { verdicts, text, trial } = await performTrials(project);
  expect(verdicts, text).toEqual({
    public: 'passed',
    admin: 'passed',
    wrong: 'failed',
    refused: 'passed',
    elsewhere: 'passed',
    unproven: 'unknown',
    unread: 'unknown',
  });
  const failed = trial('wrong').checks.filter(({ verdict }) => verdict === 'failed');
  expect(failed.map(({ id }) => id)).toEqual(['listed', 'never', 'ordered']);
  const open = trial('unread').checks.filter(({ verdict }) => verdict === 'unknown');
  expect(open.map(({ id, explanation }) => [id, explanation])).toEqual(
    ['listed', 'never', 'ordered'].map((id) => [id, 'what passed on shop -> bank.raw is not read']),
  );
}, 60_000);
