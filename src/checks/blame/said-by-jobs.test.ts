/** How a job left a party that nobody looks into, such as a database in a container: known by what it said to it. */
import { expect, test } from 'vitest';
import { answered, asked, call, chain } from '../../../test/harness/attempt-journal.ts';
import { judgeSituation, shown, traffic } from '../../../test/harness/blame-situations.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { Topology, TopologyEdge } from '../../journal/topology.ts';
import { notKept } from '../../kernel/not-kept.ts';
import { collectEarlier } from './reference/collect-earlier.ts';

/** As containers have it: the job may call every other one by its name. */
const peers: readonly TopologyEdge[] = [
  { from: 'agent', to: 'db', seen: 'statements' },
  { from: 'files', to: 'db', seen: 'statements' },
  { from: 'migrate', to: 'db', seen: 'statements' },
  { from: 'migrate', to: 'gateway', seen: 'calls' },
  { from: 'migrate', to: 'files', seen: 'bytes' },
];
const topology: Topology = {
  ...chain,
  parties: [...chain.parties, { name: 'db', kind: 'service' }, { name: 'migrate', kind: 'job' }],
  edges: [...chain.edges, ...peers],
};
const starting = (name: string) => ({ type: 'node.starting', kind: 'service', name });
const lost = 'lost' as const;

function seen(...events: readonly unknown[]) {
  const earlier = collectEarlier(topology);
  for (const event of events) {
    if (event === lost) earlier.lose();
    else earlier.note(event as JournalEvent);
  }
  return { prepared: earlier.prepared(), before: earlier.begin() };
}

const says = (statement: string, over: Partial<CallEvent> = {}): CallEvent => ({
  ...call('migrate -> db', [-900, -890], { protocol: 'postgres', path: 'app', statement }),
  ...{ method: statement.split(' ', 1)[0] ?? '', request: { headers: {}, bytes: 9 } },
  ...{ response: { status: 200, headers: {}, bytes: 9 }, result: { command: 'DONE' }, ...over },
});
const started = starting('migrate');
const table = says('CREATE TABLE a (b int)');
const index = says('CREATE INDEX ON a (b)');
const row = (id: string) => says('INSERT INTO a VALUES ($1)', { params: [id] });
const [ada, bob] = ['1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', '9c5b94b1-35ad-49bb-b118-8e8fc24abf80'];
const { response: _response, ...unread } = call('migrate -> db', [-9, -8], { protocol: 'tcp', method: '?' });
const opened = { type: 'connection.opened', from: 'migrate', to: 'files', connection: 7 };
const look = call('migrate -> gateway', [-950, -940], { method: 'GET', path: '/health' });
const seeds = (json: unknown) => call('migrate -> gateway', [-800, -790], { request: asked(json) });

function blame(was: readonly unknown[], is: readonly unknown[]) {
  const run = (events: readonly unknown[], parts: object) => {
    const { prepared, before } = seen(...events);
    return shown(traffic(parts), { topology: { ...topology, prepared }, before });
  };
  const wrong = { outer: { response: answered(200, { text: 'wrong' }) } };
  return judgeSituation({ parts: run(is, wrong), reference: run(was, {}), party: null, rule: 5 }).blame;
}

test.each<[string, readonly unknown[], readonly unknown[]]>([
  ['said the same to a store, and nothing to others', [started, table, index], [started, table, index]],
  ['said the same with other ids', [started, row(ada), row(bob)], [started, row(bob), row(ada)]],
  ['asked more often whether another one is there', [started, look, table], [started, look, look, table]],
  ['told a service the same', [started, seeds({ price: 5 })], [started, seeds({ price: 5 })]],
  ['ran again', [started, table], [started, table, started, table]],
])('behind a job that %s, the party that did something else is proven', (_, was, is) => {
  expect(blame(was, is)).toMatchObject({ party: 'agent', rule: 4 });
});

test.each<[string, readonly unknown[], readonly unknown[], string?]>([
  ['left out something', [started, table, index], [started, table], 'migrate'],
  ['said nothing', [started, table], [started], 'migrate'],
  ['said it in another order', [started, table, index], [started, index, table], 'migrate'],
  ['took it back', [started, table, says('COMMIT')], [started, table, says('ROLLBACK')], 'migrate'],
  ['put in other links', [started, row(ada), row(ada)], [started, row(ada), row(bob)], 'migrate'],
  [
    'was answered something else',
    [started, table],
    [started, says('CREATE TABLE a (b int)', { error: { code: '42P07' } })],
  ],
  ['told a service something else', [started, seeds({ price: 5 })], [started, seeds({ price: 6 })]],
])('behind a job that %s, nobody is proven', (_, was, is, suspect) => {
  const found = blame(was, is);
  expect(found).toMatchObject({ party: null });
  if (suspect !== undefined) expect(found).toMatchObject({ suspect });
});

test.each<[string, readonly unknown[]]>([
  ['was not seen', []],
  ['was not run', [started, { type: 'node.reused', kind: 'job', name: 'migrate', key: 'k' }]],
  ['was seen in part', [started, table, lost]],
  ['said something unreadable', [started, unread]],
  ['was cut off', [started, says('CREATE TABLE a (b int)', { incomplete: 'cut' })]],
  ['had a connection on which nothing was read', [started, table, opened]],
  ['said more than is kept', [started, says('SELECT $1', { params: [notKept] })]],
])('nobody is proven behind a job that %s, in both runs', (_, events) => {
  expect(blame(events, events)).toMatchObject({ party: null, because: expect.stringMatching(/unknown/) });
  expect(seen(...events).prepared.map(({ resource }) => resource)).not.toEqual(['db', 'gateway', 'files']);
});

test('a store that was started anew after the job is not in the same state', () => {
  expect(blame([started, table], [started, table, starting('db')])).toMatchObject({ party: null });
});
