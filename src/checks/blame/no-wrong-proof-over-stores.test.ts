/** Constructed situations around stores and queues in which a party did what it always does, and is not proven. */
import { expect, test } from 'vitest';
import {
  answered,
  asked,
  attemptJournal,
  call,
  check,
  unanswered,
} from '../../../test/harness/attempt-journal.ts';
import {
  blamed,
  command,
  mailed,
  queued,
  run,
  statement,
  taken,
  workedOn,
} from '../../../test/harness/queue-situations.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { Topology } from '../../journal/topology.ts';
import { judge } from '../judge/judge-attempt.ts';
import { compareValues } from './reference/compare-values.ts';
import { tablesIn } from './store-calls.ts';

type Calls = readonly CallEvent[];

const told = check({
  id: 'told',
  kind: 'calls',
  query: { from: 'worker', to: 'mailer' },
  expect: [{ request: { json: { about: 'lamp' } } }],
});
/** Its answer is the same in both runs. */
const elsewhere = check({
  id: 'fast',
  kind: 'exchange',
  query: { exchange: 'ask' },
  expect: { json: 'never' },
});
const about = (job: string) => ({
  from: 'worker',
  to: 'mailer',
  where: { request: { json: { about: job } } },
});
const inOrder = check({ id: 'in-order', kind: 'order', query: { moments: [about('lamp'), about('cup')] } });

const shown = (was: Calls, is: Calls) => {
  const [one, other] = [was, is].map((calls) =>
    run(
      told,
      calls,
      calls.filter(({ from, to }) => from === 'worker' && to === 'mailer'),
    ),
  );
  return blamed(one ?? {}, other ?? {});
};
const unshown = (was: Calls, is: Calls) =>
  blamed(run(elsewhere, was, undefined), run(elsewhere, is, undefined));
const ordered = (was: Calls, is: Calls) => blamed(run(inOrder, was, undefined), run(inOrder, is, undefined));

const rows = (one: CallEvent, verb: string, ...jobs: readonly string[]): CallEvent => ({
  ...one,
  result: { command: `${verb} ${jobs.length}`, rows: jobs.map((job) => ({ job })), count: jobs.length },
});
const poll = (at: number, ...jobs: readonly string[]) =>
  rows(statement('worker -> db', at, 'SELECT job FROM jobs'), 'SELECT', ...jobs);
const claim = (at: number, ...jobs: readonly string[]) =>
  rows(statement('worker -> db', at, 'UPDATE jobs SET taken = true RETURNING job'), 'UPDATE', ...jobs);
const put = (at: number, job: string) => statement('api -> db', at, 'INSERT INTO jobs VALUES ($1)', job);
const within = (at: number, one: CallEvent): Calls =>
  [statement('worker -> db', at, 'BEGIN'), one, statement('worker -> db', at + 6, 'COMMIT')].map((each) => ({
    ...each,
    connection: 7,
  }));
const handed = (at: number, job: string) =>
  call('api -> worker', [at, at + 9], { request: asked({ about: job }) });

test('a poll came before the job did, and there was no time for another one', () => {
  const was = [poll(10), put(290, 'lamp'), poll(310, 'lamp'), mailed(320, 'lamp')];
  expect(shown(was, [poll(280), put(290, 'lamp')])).toMatchObject({ party: null });
});

const began = [queued(20, 'lamp'), taken(25, 'lamp')];
const locked = (at: number, result: unknown) => command('worker -> queue', at, 'SET lock me NX', { result });
const scripted = (at: number) => command('worker -> queue', at, 'EVALSHA abc next', { result: null });
const claimed = (at: number, ...jobs: readonly string[]) => {
  const entries = jobs.map((job) => ['1754000000000-7', ['job', job]]);
  return command('worker -> queue', at, 'XAUTOCLAIM jobs workers me 0', { result: ['0-0', entries, []] });
};

test.each<[string, Calls, Calls]>([
  ['a transaction around it', within(10, poll(13)), [...within(10, poll(13)), ...within(30, poll(33))]],
  ['a statement that takes', [claim(10), claim(40, 'lamp')], [claim(10), claim(30), claim(50, 'lamp')]],
  ['one less', [claim(10), claim(40, 'lamp')], [claim(40, 'lamp')]],
  ['a lock that was not free', [locked(30, 'OK')], [locked(30, null), locked(40, 'OK')]],
  ['a script', [scripted(30)], [scripted(30), scripted(40)]],
  ['a look for abandoned jobs', [claimed(30)], [claimed(30), claimed(40)]],
])('one more of what had no effect is nobody’s doing: %s', (_, was, is) => {
  const done = mailed(60, 'lamp');
  expect(unshown([...began, ...was, done], [...began, ...is, done])).toMatchObject({ party: null });
});

test('the end of a transaction that wrote something counts', () => {
  const insert = statement('worker -> db', 33, 'INSERT INTO notes VALUES ($1)', 'lamp');
  const whole = within(30, insert);
  expect(unshown([...began, ...whole], [...began, ...whole.slice(0, 2)])).toMatchObject({ party: 'worker' });
});

test('a job that came once more, by another command, is an input', () => {
  const again = [claimed(70, 'lamp'), mailed(80, 'lamp')];
  expect(shown(workedOn('lamp'), [...workedOn('lamp'), ...again])).toMatchObject({ party: null });
});

const both = [mailed(40, 'lamp'), mailed(60, 'cup')];
const turned = [mailed(40, 'cup'), mailed(60, 'lamp')];
const queuedBoth = (one: string, other: string): Calls => [
  ...[queued(20, one), queued(22, other)],
  ...[taken(25, one), taken(26, other)],
];

test('what comes in another order is done in another order', () => {
  const straight = [...queuedBoth('lamp', 'cup'), ...both];
  expect(ordered(straight, [...queuedBoth('cup', 'lamp'), ...turned])).toMatchObject({
    party: null,
    because: expect.stringContaining('what came to it by XREADGROUP jobs came in another order'),
  });
  const late = [queued(20, 'cup'), taken(25, 'cup'), queued(50, 'lamp'), taken(55, 'lamp')];
  expect(ordered(straight, [...late, ...turned])).toMatchObject({ party: null });
  const calls = [handed(20, 'lamp'), handed(50, 'cup'), ...both];
  expect(ordered(calls, [handed(20, 'cup'), handed(50, 'lamp'), ...turned])).toMatchObject({ party: null });
  expect(ordered(straight, [...queuedBoth('lamp', 'cup'), ...turned])).toMatchObject({ party: 'worker' });
});

test('so is what is made of it', () => {
  const last = (job: string) => [mailed(60, job)];
  expect(
    shown([...queuedBoth('cup', 'lamp'), ...last('lamp')], [...queuedBoth('lamp', 'cup'), ...last('cup')]),
  ).toMatchObject({ party: null });
  expect(
    shown(
      [handed(20, 'cup'), handed(40, 'lamp'), ...last('lamp')],
      [handed(20, 'lamp'), handed(40, 'cup'), ...last('cup')],
    ),
  ).toMatchObject({ party: null });
  const listed = (...jobs: readonly string[]) => [put(20, 'lamp'), put(21, 'cup'), poll(26, ...jobs)];
  expect(
    shown([...listed('lamp', 'cup'), ...last('lamp')], [...listed('cup', 'lamp'), ...last('cup')]),
  ).toMatchObject({
    party: null,
    because: expect.stringContaining('has the same at $.result.rows in another order'),
  });
});

test('a batch without what came only after it', () => {
  const batch = (at: number, ...items: readonly string[]) =>
    call('worker -> mailer', [at, at + 3], { path: '/batch', request: asked({ items }) });
  const apart = [queued(20, 'lamp'), taken(25, 'lamp'), batch(40, 'lamp')];
  const later = [queued(49, 'cup'), taken(50, 'cup'), batch(60, 'cup')];
  expect(shown([...queuedBoth('lamp', 'cup'), batch(40, 'lamp', 'cup')], [...apart, ...later])).toMatchObject(
    { party: null },
  );
});

test('who tries again after a failure is not to blame for it', () => {
  const insert = (at: number) => statement('worker -> db', at, 'INSERT INTO notes VALUES ($1)', 'lamp');
  const { result: _, ...bare } = insert(30);
  const stuck = { ...bare, error: { code: '40P01', message: 'deadlock detected' } };
  const done = mailed(60, 'lamp');
  const again = [...began, stuck, insert(40), done, mailed(80, 'lamp')];
  expect(shown([...began, insert(30), done], again)).toMatchObject({
    party: null,
    because: expect.stringContaining('db began to differ'),
  });
});

const plain: Topology = {
  parties: ['api', 'worker'].map((name) => ({ name, kind: 'service' })),
  edges: [
    { from: 'outside', to: 'api', seen: 'calls' },
    { from: 'api', to: 'worker', seen: 'calls' },
  ],
  relays: [],
};

test('of two equal calls, the one that was refused came first, and the other is its consequence', () => {
  const once = check({ id: 'once', kind: 'calls', query: { from: 'api', to: 'worker' }, count: 1 });
  const ask = (at: number, status: number) => ({ ...handed(at, 'lamp'), response: answered(status) });
  const of = (...calls: Calls) => run(once, calls, calls, { topology: plain });
  const of200 = of(ask(20, 200));
  expect(blamed(of200, of(ask(20, 503), ask(40, 200)))).toMatchObject({ party: 'worker' });
  expect(blamed(of200, of(ask(20, 200), ask(40, 200)))).toMatchObject({ party: 'api' });
  expect(blamed(of200, of(ask(20, 200), ask(40, 409)))).toMatchObject({ party: 'api' });
});

/** A store that nobody else uses. */
const own: Topology = {
  parties: [
    { name: 'api', kind: 'service' },
    { name: 'db', kind: 'resource' },
  ],
  edges: [
    { from: 'outside', to: 'api', seen: 'calls' },
    { from: 'api', to: 'db', seen: 'statements' },
  ],
  relays: [],
};
const step = { name: 'ask', line: 3, driver: 'http', to: 'api', expect: { status: 200 } } as const;
const alone = (count: number, ...calls: Calls) => ({
  topology: own,
  events: [call('outside -> api', [10, 90], { response: answered(200, { count }) }), ...calls],
  record: { checks: [elsewhere], steps: [step] },
});
const read = (at: number, ...jobs: readonly string[]) =>
  rows(statement('api -> db', at, 'SELECT job FROM jobs'), 'SELECT', ...jobs);

test('what its own store held before the attempt is an input, and so is its trouble', () => {
  const kept = alone(1, read(30, 'lamp'));
  expect(blamed(kept, alone(2, read(30, 'lamp', 'cup')))).toMatchObject({ party: null });
  const { result: _, ...bare } = read(30);
  const full = { ...bare, error: { code: '53100', message: 'No space left on device' } };
  expect(blamed(alone(1, put(20, 'lamp'), read(30, 'lamp')), alone(0, put(20, 'lamp'), full))).toMatchObject({
    party: null,
    because: expect.stringContaining('db began to differ'),
  });
});

test('when it asks its own store is its own doing', () => {
  const early = alone(0, read(20), put(30, 'lamp'));
  expect(blamed(alone(1, put(20, 'lamp'), read(30, 'lamp')), early)).toMatchObject({
    party: 'api',
    because: expect.stringContaining('it received the same from others as when the trial passed'),
  });
});

test('a number of a row that was always the same, and is another one now, may be what was wrong', () => {
  const row = (id: number): CallEvent => ({
    ...poll(26),
    result: { command: 'SELECT 1', rows: [{ id }], count: 1 },
  });
  const mail = (order: number) => call('worker -> mailer', [40, 43], { request: asked({ order }) });
  expect(shown([put(20, 'lamp'), row(7), mail(7)], [put(20, 'lamp'), row(9), mail(9)])).toMatchObject({
    party: null,
  });
});

test('of two calls that look alike, it is not known which one has the id of the other', () => {
  const created = (at: number, name: string, id: string, file: string) =>
    call('outside -> api', [at, at + 9], {
      ...{ path: '/new', request: asked({ name }), response: answered(200, { id, file }) },
    });
  const mail = (at: number, id: string) => call('worker -> mailer', [at, at + 3], { request: asked({ id }) });
  const made = (file: string, ada: string, bob: string) => [
    ...[created(11, 'ada', ada, file), created(31, 'bob', bob, file), taken(45, 'lamp')],
  ];
  const [a, b] = ['1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', '9c5b94b1-35ad-49bb-b118-8e8fc24abf80'];
  const [c, d] = ['7e57d004-2b97-4e7a-b45f-5387367791cd', '3f333df6-90a4-4fda-8dd3-9485d27cee36'];
  const was = [...made('plan-2024', a, b), mail(50, a), mail(60, b)];
  expect(unshown(was, [...made('plan-2025', c, d), mail(50, d), mail(60, c)])).toMatchObject({ party: null });
});

test('what began elsewhere than what the failed check shows is not proven', () => {
  const beat = call('worker -> mailer', [70, 75], { path: '/beat', request: asked({ alive: true }) });
  const said = (file: string) =>
    call('outside -> api', [100, 120], { path: '/file', response: answered(200, { file }) });
  const of = (...calls: Calls) =>
    run(elsewhere, calls, undefined, { record: { checks: [elsewhere], steps: [step] } });
  expect(
    blamed(of(...workedOn('lamp'), said('plan-2024')), of(...workedOn('lamp'), beat, said('plan-2025'))),
  ).toMatchObject({ party: null, suspect: 'api' });
});

test('who waits for a reply that another one is to put into a queue is not silent', () => {
  const waiting = command('api -> queue', 40, 'BLPOP reply 0', { waits: true, endedAt: 5_010 });
  const parts = run(elsewhere, [], undefined);
  const shared = parts.topology as Topology;
  const judged = (topology: Topology, ...calls: Calls) => {
    const events = [
      unanswered(call('outside -> api', [10, 5_010]), 'in-flight'),
      queued(20, 'lamp'),
      ...calls,
    ];
    const evidence = { error: { kind: 'timeout', message: 'no answer' } };
    const journal = attemptJournal({
      ...parts,
      topology,
      events,
      evidence,
      end: 'step-failed',
      record: { steps: [step] },
    });
    return judge(journal).blame;
  };
  const unshared = { ...shared, edges: shared.edges.filter(({ from }) => from !== 'worker') };
  expect(judged(unshared)).toMatchObject({ party: 'api', rule: 1 });
  expect(judged(unshared, unanswered(waiting, 'in-flight'))).toMatchObject({ party: null });
  // By a subscription, or when it looks next.
  expect(judged(shared)).toMatchObject({ party: null });
});

test('all tables of a statement are its subjects', () => {
  expect(tablesIn('SELECT 1 FROM orders o, "shop"."Items" AS i, users JOIN notes USING (id)')).toEqual([
    ...['orders', 'items', 'users', 'notes'],
  ]);
  expect(tablesIn('DELETE FROM jobs USING done WHERE jobs.id = done.id')).toEqual(['jobs', 'done']);
  expect(tablesIn('UPDATE jobs SET a = 1, b = 2')).toEqual(['jobs']);
});

/** One of two workers asks the table again and again; `found` is where among its polls the job comes. */
const polled = (job: string, found: number): Calls => {
  const poll = (at: number, rows: readonly unknown[]): CallEvent => ({
    ...statement(
      'worker -> db',
      at,
      'UPDATE jobs SET taken = true WHERE id = (SELECT id FROM jobs FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING job',
    ),
    result: { command: `UPDATE ${rows.length}`, rows, count: rows.length },
  });
  return [
    statement('api -> db', 20, 'INSERT INTO jobs VALUES ($1)', job),
    ...[0, 1, 2].map((place) => poll(30 + place * 20, place === found ? [{ job, polls: found }] : [])),
    mailed(100, job),
  ];
};

test('the next job of a table is what its taker got, whichever poll brought it', () => {
  const shows = (job: string, found: number) => run(told, polled(job, found), [mailed(100, job)]);
  const passed = [0, 1, 2].map((found) => shows('lamp', found));
  expect(blamed(passed, shows('cup', 1))).toMatchObject({ party: 'api' });
});

test('a word that is known to vary may be any word', () => {
  const { likeness } = compareValues('‹~LIN-P25XW6H›', 'LIN-NNEDURK', true);
  expect(likeness).toBe('same');
  expect(compareValues('LIN-P25XW6H', 'LIN-NNEDURK', true).likeness).toBe('differs');
});

test.each([
  [{}],
  [
    {
      protocol: 'json-rpc',
      method: 'tools/call',
      path: '/mcp',
      params: { name: 'quote', arguments: {} },
      result: {},
    },
  ],
] as const)('headers of its own that a request carries are what its receiver got: %o', (more) => {
  const about = (tenant: string): Calls => {
    const request = { headers: { host: tenant, 'x-tenant': tenant }, json: {}, bytes: 9 };
    return [
      call('api -> worker', [20, 90], { request, ...more }),
      statement('worker -> db', 30, 'INSERT INTO notes VALUES ($1)', tenant),
      mailed(50, tenant),
    ];
  };
  expect(shown(about('lamp'), about('cup'))).toMatchObject({ party: 'api' });
});
