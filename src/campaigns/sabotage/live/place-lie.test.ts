import { expect, test } from 'vitest';
import { answered, call } from '../../../../test/harness/attempt-journal.ts';
import { loadProject } from '../../../../test/harness/config-project.ts';
import type { JournalEvent } from '../../../journal/event.ts';
import { rememberAnswers } from './known-answers.ts';
import { type LieGround, type LiveLie, listLies, placeLie } from './place-lie.ts';

const liedAbout = () =>
  loadProject({
    'shakedown.yaml': `name: lied-about
resources:
  db: { kind: postgres }
  bank: { kind: http, because: it is not ours, callbacks: { shop: "\${shop.admin.url}" } }
  model: { kind: model }
  traces: { kind: telemetry }
jobs: { fill: { run: ["true"], env: { DB: "\${db.url}" } } }
services:
  shop:
    run: ["true"]
    listen: [{ env: PORT }, { name: admin, env: ADMIN_PORT }]
    env: { DB: "\${db.url}", BANK: "\${bank.url}", MODEL: "\${model.openaiUrl}" }
  worker: { run: ["true"], env: { SHOP: "\${shop.url}" } }
`,
  });

const account = (owner: string) =>
  call('shop -> bank', [0, 1], { method: 'GET', path: '/account', response: answered(200, { owner }) });
const known = rememberAnswers([
  { name: 'ada', calls: [account('ada')] },
  { name: 'bob', calls: [account('bob')] },
]);

function find(lies: readonly LiveLie[], service: string, lie: string): LiveLie {
  return lies.find((one) => one.service === service && one.lie === lie) as LiveLie;
}

const edgesOf = ({ edges }: LiveLie): readonly string[] =>
  edges.map(({ from, to }) => `${from} -> ${to}`).sort();

test('every service and resource with every lie, on all edges that lead to it but those of jobs', async () => {
  const system = await liedAbout();
  const lies = listLies(system, known, 'ada');
  expect(lies).toHaveLength(6 * 3);
  expect(edgesOf(find(lies, 'shop', 'dead'))).toEqual([
    'bank -> shop.admin',
    'outside -> shop',
    'outside -> shop.admin',
    'worker -> shop',
  ]);
  expect(edgesOf(find(lies, 'db', 'dead'))).toEqual(['outside -> db', 'shop -> db']);
  expect(find(lies, 'db', 'garbage').edges).toMatchObject([
    { disturb: { rule: 'garble' } },
    { disturb: { rule: 'garble' } },
  ]);
  const junk = find(lies, 'bank', 'garbage').edges[0]?.rules?.[0];
  expect(junk).toMatchObject({ name: 'lie', deed: { do: 'answer', status: 200, forward: true } });
});

test('what cannot be told says why', async () => {
  const system = await liedAbout();
  const lies = listLies(system, known, 'ada');
  const why = (service: string, lie: string) => find(lies, service, lie).notPossible;
  expect(find(lies, 'bank', 'other-tenant')).toMatchObject({
    edges: [{ from: 'shop', to: 'bank', rules: [{ deed: { json: { owner: 'bob' } } }] }],
  });
  expect(why('bank', 'other-tenant')).toBeUndefined();
  expect(why('db', 'other-tenant')).toContain('is not HTTP');
  expect(why('shop', 'other-tenant')).toContain('no other answer');
  expect(why('worker', 'dead')).toContain('nobody speaks to it');
  expect(why('traces', 'garbage')).toContain('only listens');
});

test('a real model is not asked for an answer that nobody gets', async () => {
  const system = await liedAbout();
  const resources = system.resources.map((one) =>
    one.kind === 'model' ? { ...one, mode: 'live' as const } : one,
  );
  const lies = listLies({ ...system, resources }, known, 'ada');
  expect(find(lies, 'model', 'garbage').edges[0]?.rules?.[0]?.deed).toMatchObject({ forward: false });
  expect(find(listLies(system), 'model', 'garbage').edges[0]?.rules?.[0]?.deed).toMatchObject({
    forward: true,
  });
});

test('it is met where taps tell so after it was placed, and lifted everywhere', async () => {
  const system = await liedAbout();
  const asked: string[] = [];
  const listeners = new Set<(event: JournalEvent) => void>();
  const tell = (event: object): void => {
    for (const listener of listeners) listener({ seq: 1, at: 1, ...event } as JournalEvent);
  };
  const refused = { type: 'connection.refused', from: 'shop', to: 'db', because: 'rule' };
  const ground: LieGround = {
    ask: (async (name: string, params: { rule?: { rule: string } }) => {
      asked.push(`${name}${params.rule ? ` ${params.rule.rule}` : ''}`);
      if (asked.length === 1) tell(refused);
      return {};
    }) as LieGround['ask'],
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const placed = await placeLie(ground, find(listLies(system), 'db', 'dead'));
  expect(await placed.felt()).toBe(0);
  tell(refused);
  tell({ ...refused, because: 'too-many' });
  tell({ ...refused, to: 'bank' });
  expect(await placed.felt()).toBe(1);
  expect([...(await placed.feltOn())]).toEqual([['shop -> db', 1]]);
  await placed.lift();
  expect(listeners.size).toBe(0);
  expect(asked.filter((one) => one.startsWith('disturb'))).toEqual([
    'disturb deny',
    'disturb deny',
    'disturb pass',
    'disturb pass',
  ]);
});
