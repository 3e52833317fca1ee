/** A third party that is scripted on the wire: it answers as scripted, calls back, and what it received can be checked. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';

const config = `isolation: shared
resources:
  messenger:
    kind: http
    because: it belongs to somebody else
    callbacks: { shop: "\${shop.url}" }
  traces: { kind: telemetry }
services:
  shop:
    run: [node, services/orders-by-message.mjs]
    listen: { env: PORT }
    ready: { http: /health }
    env: { MESSENGER_URL: "\${messenger.url}", TRACES_URL: "\${traces.url}", DEFECT: "\${env.DEFECT:-}" }`;

const order = `steps:
  - { http: POST shop/order, json: { id: "\${trial.uid}" }, as: placed, expect: { status: 202 } }`;

/** The service sends its message long after quiet. */
const late = order.replace('json: { ', 'json: { afterMs: 900, ').replace('as: placed, ', '');

const confirmed = `peers:
  messenger:
    - on: POST /send
      where: { json: { order: "\${trial.uid}" } }
      answer: { status: 200, json: { accepted: true } }
      callback: { to: shop, path: /callback, json: { order: "\${request.json.order}", token: "\${request.json.token}" }, times: 2 }
${order}
checks:
  sent: { calls: shop -> messenger, expect: [{ method: POST, path: /send, request: { json: { order: "\${trial.uid}" } } }] }
  called-back: { calls: messenger -> shop, expect: { $unordered: [{ response: { status: 200 } }, { response: { status: 409 } }] } }
  everywhere:
    correlate:
      id: "\${trial.uid}"
      through: [{ exchange: placed }, { calls: shop -> messenger }, { logs: shop }, { spans: shop }]
    within: 5s
  told-first: { order: [{ exchange: placed }, { calls: messenger -> shop }] }`;

const traced = `import { flow } from 'shakedown';
flow('a flow sees spans as a trial does', {
  id: 'traced',
  peers: { messenger: [{ on: 'POST /send', answer: { status: 200, json: { accepted: true } } }] },
}, async ({ http, spans, check, trial }) => {
  await http('shop').post('/order', { json: { id: trial.uid }, expect: { status: 202 } });
  check('traced', spans('shop', { where: { attributes: { $present: true } } }), undefined, { count: { $gte: 1 }, within: '5s' });
});
`;

test('it answers, calls back twice, and one id is found everywhere', async () => {
  const project = trialsProject(config, { confirmed }, { 'trials/traced.flow.ts': traced });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
  const broken = await project.run(['run'], { env: { DEFECT: 'accepts-twice' } });
  expect(broken.code, broken.output).toBe(1);
  const silent = await project.run(['run'], { env: { DEFECT: 'loses-the-trace' } });
  expect(silent.code, silent.output).toBe(1);
  expect(silent.output).toContain('spans');
});

test('an unscripted request fails by name, and so does an unused line; one that is used late is waited for', async () => {
  const project = trialsProject(config, {
    'not-scripted': `${order}\nchecks: { sent: { calls: shop -> messenger, count: 1 } }`,
    unused: `peers: { messenger: [{ on: POST /send }, { on: GET /never }] }\n${order}\nchecks: { sent: { calls: shop -> messenger, count: 1 } }`,
    late: `peers: { messenger: [{ on: POST /send, times: 2 }] }
${late}
${late.replace('steps:\n', '')}
checks: { sent: { calls: shop -> messenger, count: 2 } }`,
  });
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(1);
  expect(run.trial('not-scripted').cause?.text).toContain('/send');
  expect(run.trial('unused').cause?.text).toContain('/never');
  expect(unfolded(run.text)).toContain('`until` step or a check with `within`, or set a longer `settle`');
  expect(run.trial('late').verdict, run.text).toBe('passed');
});
