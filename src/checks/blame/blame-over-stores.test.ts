/** Data that passes through a store from one service to another, and who is to blame where it is wrong. */
import { expect, test } from 'vitest';
import { attemptJournal, call, check, type JournalParts } from '../../../test/harness/attempt-journal.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { Topology } from '../../journal/topology.ts';
import { judge } from '../judge/judge-attempt.ts';
import { digestOf } from './reference/digest-of.ts';
import { mergeDigests } from './reference/merge-digests.ts';
import type { ReferenceDigest } from './reference/reference-digest.ts';

const topology: Topology = {
  parties: [
    { name: 'api', kind: 'service' },
    { name: 'worker', kind: 'service' },
    { name: 'mailer', kind: 'peer' },
    { name: 'db', kind: 'resource' },
  ],
  edges: [
    { from: 'outside', to: 'api', seen: 'calls' },
    { from: 'outside', to: 'db', seen: 'statements' },
    { from: 'api', to: 'db', seen: 'statements' },
    { from: 'worker', to: 'db', seen: 'statements' },
    { from: 'worker', to: 'mailer', seen: 'calls' },
  ],
  relays: [],
};

const statement = (edge: string, at: number, text: string, parts: Partial<CallEvent>): CallEvent => ({
  ...call(edge, [at, at + 5], { protocol: 'postgres', path: 'app', statement: text, ...parts }),
  method: text.split(' ', 1)[0] ?? '',
  request: { headers: {}, bytes: 9 },
  response: { status: 200, headers: {}, bytes: 9 },
});

const mailed = check({
  id: 'mailed',
  kind: 'calls',
  query: { from: 'worker', to: 'mailer' },
  expect: [{ request: { json: { to: 'ada' } } }],
});

/** `written`: by the API; `read` and `sent`: by the worker. */
function run(written: string, read: string, sent: string): JournalParts {
  const rows = { command: 'SELECT 1', rows: [{ customer: read }], count: 1 };
  const calls = [
    call('outside -> api', [10, 60]),
    statement('api -> db', 20, 'INSERT INTO jobs VALUES ($1)', {
      params: [written],
      result: { command: 'INSERT 0 1' },
    }),
    statement('worker -> db', 100, 'SELECT customer FROM jobs', { result: rows }),
    call('worker -> mailer', [200, 220], { request: { headers: {}, json: { to: sent }, bytes: 9 } }),
  ];
  const probe = { type: 'probe.sampled', probe: 'mailed', from: 450, to: 450, samples: 1 } as const;
  const value = calls.filter(({ to }) => to === 'mailer');
  return { topology, events: [...calls, { ...probe, value }], record: { checks: [mailed] } };
}

function blamed(parts: JournalParts) {
  const healthy = digestOf(attemptJournal(run('ada', 'ada', 'ada'))) as ReferenceDigest;
  const reference = mergeDigests(mergeDigests(healthy, healthy), healthy);
  return judge(attemptJournal(parts), undefined, reference).blame;
}

test('a wrong row is followed from its reader to its writer', () => {
  expect(blamed(run('bob', 'bob', 'bob'))).toMatchObject({ party: 'api', edge: 'api -> db', rule: 4 });
});

test('a service that got the right row is to blame for what it made of it', () => {
  expect(blamed(run('ada', 'ada', 'bob'))).toMatchObject({ party: 'worker', edge: 'worker -> mailer' });
});

test('where a store answers differently without a reason, nobody is proven, and its reader is not suspected', () => {
  const blame = blamed(run('ada', 'bob', 'bob'));
  expect(blame).toMatchObject({ party: null, because: expect.stringContaining('db began to differ') });
  expect(blame?.suspect).toBeUndefined();
});

const [ada, bob] = ['1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', '9c5b94b1-35ad-49bb-b118-8e8fc24abf80'];
const closed = check({
  id: 'closed',
  kind: 'exchange',
  query: { exchange: 'ask' },
  expect: { json: { state: 'closed' } },
});

/** Two are created, and the second is closed; `meant` is whom the API closes, `shown` what it says. */
function closing(meant: string, shown: string): JournalParts {
  const created = (at: number, id: string) =>
    call('outside -> api', [at, at + 9], { path: '/new', response: { ...ok, json: { id } } });
  const update = 'UPDATE people SET state = 2 WHERE id = $1';
  return {
    topology,
    events: [
      created(10, ada),
      created(30, bob),
      call('outside -> api', [50, 90], {
        path: `/close/${bob}`,
        response: { ...ok, json: { state: shown } },
      }),
      statement('api -> db', 60, update, { params: [meant], result: { command: 'UPDATE 1' } }),
      statement('api -> db', 70, 'SELECT state FROM people WHERE id = $1', {
        params: [bob],
        result: { command: 'SELECT 1', rows: [{ state: shown }], count: 1 },
      }),
    ],
    record: {
      checks: [closed],
      steps: [{ name: 'ask', line: 3, driver: 'http', to: 'api', expect: { status: 200 } }],
    },
    evidence: { status: 200, json: { state: shown } },
  };
}

const ok = { status: 200, headers: {}, bytes: 9 };

function beside(reference: JournalParts, parts: JournalParts) {
  const one = digestOf(attemptJournal(reference)) as ReferenceDigest;
  return judge(attemptJournal(parts), undefined, mergeDigests(mergeDigests(one, one), one)).blame;
}

test('an id where another one belongs is a difference, also among the parameters of a statement', () => {
  expect(beside(closing(bob, 'closed'), closing(ada, 'open'))).toMatchObject({
    party: 'api',
    edge: 'api -> db',
    because: expect.stringMatching(/the request of call 1 of api -> db has ‹id#\d›, where ‹id#\d› belongs/),
  });
  expect(beside(closing(bob, 'closed'), closing(bob, 'open'))).toMatchObject({ party: null });
});

test('a job that left the store in another state is to blame for it', () => {
  const prepared = (state: string, shown: string): JournalParts => ({
    ...closing(bob, shown),
    topology: {
      ...topology,
      parties: [...topology.parties, { name: 'migrate', kind: 'job' }],
      edges: [...topology.edges, { from: 'migrate', to: 'db', seen: 'statements' }],
      prepared: [{ resource: 'db', by: ['migrate'], state }],
    },
  });
  expect(beside(prepared('a', 'closed'), prepared('b', 'open'))).toMatchObject({ party: 'migrate', rule: 4 });
});

test('who does not read again what it was to read for a request is to blame for it, also where all takes longer', () => {
  const polled = (slower: number, reads: readonly (string | null)[], shown: string): JournalParts => ({
    ...closing(bob, shown),
    events: reads.flatMap((read, turn) => {
      const at = (50 + turn * 100) * slower;
      const rows = { command: 'SELECT 1', rows: [{ state: read }], count: 1 };
      const json = { state: turn === 0 ? 'open' : shown };
      return [
        call('outside -> api', [at, at + 40], { path: '/state', response: { ...ok, json } }),
        ...(read === null
          ? []
          : [statement('api -> db', at + 5, 'SELECT state FROM people', { result: rows })]),
      ];
    }),
  });
  const healthy = polled(1, ['open', 'closed'], 'closed');
  for (const slower of [1, 5])
    expect(beside(healthy, polled(slower, ['open', null], 'open'))).toMatchObject({ party: 'api', rule: 4 });
  // It did read, and did not get it.
  for (const slower of [0.5, 1, 5])
    expect(beside(healthy, polled(slower, ['open', 'open'], 'open'))).toMatchObject({ party: null });
});

test('a store that is asked for something else answers something else', () => {
  const looked = (order: string, item: string): JournalParts => ({
    ...closing(bob, item),
    events: [
      call('outside -> api', [10, 20], {
        path: '/orders',
        request: { headers: {}, json: { orders: ['o1-eve', 'o2-eve'] }, bytes: 9 },
      }),
      statement('api -> db', 60, 'SELECT item FROM orders WHERE id = $1', {
        params: [order],
        result: { command: 'SELECT 1', rows: [{ item }], count: 1 },
      }),
      call('outside -> api', [50, 90], { path: '/item', response: { ...ok, json: { item } } }),
    ],
  });
  expect(beside(looked('o2-eve', 'closed'), looked('o1-eve', 'lamp'))).toMatchObject({
    party: null,
    suspect: 'api',
    because: expect.stringContaining('has "o1-eve" at $.params[0], where it had "o2-eve"'),
  });
});
