import { expect, test } from 'vitest';
import { answered, call } from '../../../../test/harness/attempt-journal.ts';
import { loadProject } from '../../../../test/harness/config-project.ts';
import type { JournalEvent } from '../../../journal/event.ts';
import { rememberAnswers } from './known-answers.ts';
import { type LiveMutant, listMutants, type MutantGround, placeMutant } from './place-mutant.ts';

const mutatedAt = () =>
  loadProject({
    'shakedown.yaml': `name: mutated
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

function find(mutants: readonly LiveMutant[], service: string, mutant: string): LiveMutant {
  return mutants.find((one) => one.service === service && one.mutant === mutant) as LiveMutant;
}

const edgesOf = ({ edges }: LiveMutant): readonly string[] =>
  edges.map(({ from, to }) => `${from} -> ${to}`).sort();

test('every service and resource with every mutant, on all edges that lead to it except those of jobs', async () => {
  const system = await mutatedAt();
  const mutants = listMutants(system, known, 'ada');
  expect(mutants).toHaveLength(6 * 4);
  expect(edgesOf(find(mutants, 'shop', 'dead'))).toEqual([
    'bank -> shop.admin',
    'outside -> shop',
    'outside -> shop.admin',
    'worker -> shop',
  ]);
  expect(edgesOf(find(mutants, 'db', 'dead'))).toEqual(['outside -> db', 'shop -> db']);
  expect(find(mutants, 'db', 'garbage').edges).toMatchObject([
    { disturb: { rule: 'garble' } },
    { disturb: { rule: 'garble' } },
  ]);
  const junk = find(mutants, 'bank', 'garbage').edges[0]?.rules?.[0];
  expect(junk).toMatchObject({ name: 'mutant', fault: { do: 'answer', status: 200, forward: true } });
});

test('what leads to somebody else’s service is left alone', async () => {
  const system = await loadProject({
    'shakedown.yaml': `name: mutated
services:
  theirs: { at: "http://localhost:1" }
  ours: { run: ["true"], env: { URL: "\${theirs.url}" } }
`,
  });
  const mutants = listMutants(system, known, 'ada').filter(({ service }) => service === 'theirs');
  expect(mutants).toHaveLength(4);
  for (const { edges, notPossible } of mutants)
    expect({ edges, notPossible }).toEqual({
      edges: [],
      notPossible: "it is somebody else's (`at`): what leads to it is never disturbed",
    });
});

test('a mutant that cannot be applied says why', async () => {
  const system = await mutatedAt();
  const mutants = listMutants(system, known, 'ada');
  const why = (service: string, mutant: string) => find(mutants, service, mutant).notPossible;
  expect(find(mutants, 'bank', 'other-tenant')).toMatchObject({
    edges: [{ from: 'shop', to: 'bank', rules: [{ fault: { json: { owner: 'bob' } } }] }],
  });
  expect(why('bank', 'other-tenant')).toBeUndefined();
  expect(why('db', 'other-tenant')).toContain('is not HTTP');
  expect(why('shop', 'other-tenant')).toContain('no different answer');
  expect(why('worker', 'dead')).toContain('no edge with a tap');
  expect(why('traces', 'garbage')).toContain('only receives');
});

test('other values are said where JSON was, and nowhere else', async () => {
  const system = await mutatedAt();
  const mutants = listMutants(system, known, 'ada');
  expect(find(mutants, 'bank', 'wrong').edges).toEqual([
    { from: 'shop', to: 'bank', rules: [{ name: 'mutant', fault: { do: 'wrong' } }] },
  ]);
  expect(find(mutants, 'db', 'wrong').notPossible).toContain('no JSON was read from Redis');
  expect(find(mutants, 'shop', 'wrong').notPossible).toContain('no answer of JSON');
  expect(edgesOf(find(listMutants(system), 'shop', 'wrong'))).toContain('outside -> shop');
});

test('of a store, what was read from Redis as JSON has other values', async () => {
  const read = (result: unknown) =>
    rememberAnswers([
      {
        name: 'ada',
        calls: [call('shop -> db', [0, 1], { protocol: 'resp', method: 'BLPOP', result } as never)],
      },
    ]);
  const system = await mutatedAt();
  const wrong = (result: unknown) => find(listMutants(system, read(result), 'ada'), 'db', 'wrong');
  expect(wrong(['list', '{"n": 1}']).edges).toEqual([{ from: 'shop', to: 'db', disturb: { rule: 'wrong' } }]);
  expect(wrong(['list', 'plain']).notPossible).toContain('no JSON');
});

test('a real model is not asked for an answer that is thrown away', async () => {
  const system = await mutatedAt();
  const resources = system.resources.map((one) =>
    one.kind === 'model' ? { ...one, mode: 'live' as const } : one,
  );
  const mutants = listMutants({ ...system, resources }, known, 'ada');
  expect(find(mutants, 'model', 'garbage').edges[0]?.rules?.[0]?.fault).toMatchObject({ forward: false });
  expect(find(mutants, 'model', 'wrong').notPossible).toContain('costs money');
  expect(find(listMutants(system), 'model', 'garbage').edges[0]?.rules?.[0]?.fault).toMatchObject({
    forward: true,
  });
});

test('it is met where taps report so, what it resets while it is placed too, and lifted everywhere', async () => {
  const system = await mutatedAt();
  const asked: string[] = [];
  const listeners = new Set<(event: JournalEvent) => void>();
  const report = (event: object): void => {
    for (const listener of listeners) listener({ seq: 1, at: 1, ...event } as JournalEvent);
  };
  const refused = { type: 'connection.refused', from: 'shop', to: 'db', because: 'rule' };
  const reset = { type: 'disturbance.felt', from: 'shop', to: 'db', disturbance: 'deny' };
  const ground: MutantGround = {
    ask: (async (name: string, params: { rule?: { rule: string } }) => {
      asked.push(`${name}${params.rule ? ` ${params.rule.rule}` : ''}`);
      if (asked.length === 1) report(reset);
      return {};
    }) as MutantGround['ask'],
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const placed = await placeMutant(ground, find(listMutants(system), 'db', 'dead'));
  expect(await placed.felt()).toBe(1);
  report(refused);
  report({ ...refused, because: 'too-many' });
  report({ ...refused, to: 'bank' });
  expect(await placed.felt()).toBe(2);
  expect([...(await placed.feltOn())]).toEqual([['shop -> db', 2]]);
  await placed.lift();
  expect(listeners.size).toBe(0);
  expect(asked.filter((one) => one.startsWith('disturb'))).toEqual([
    'disturb deny',
    'disturb deny',
    'disturb pass',
    'disturb pass',
  ]);
});
