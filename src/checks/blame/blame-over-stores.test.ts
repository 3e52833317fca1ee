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
