/** Constructed situations in which something keeps a party from proof: what was not kept, not seen, or did no harm. */
import { expect, test } from 'vitest';
import {
  answered,
  attemptJournal,
  call,
  chain,
  check,
  sampled,
} from '../../../test/harness/attempt-journal.ts';
import { healthy, judgeSituation, shown, traffic } from '../../../test/harness/blame-situations.ts';
import type { CallEvent, CallMessage } from '../../journal/call-event.ts';
import type { Topology } from '../../journal/topology.ts';
import { cutMark } from '../../kernel/cut-mark.ts';
import { notRead } from '../../kernel/not-kept.ts';
import { judge } from '../judge/judge-attempt.ts';

const wrong = { outer: { response: answered(200, { text: 'wrong' }) } };
const blame = (parts: Parameters<typeof judgeSituation>[0]['parts'], reference = healthy) =>
  judgeSituation({ parts, reference, party: null, rule: 5 }).blame;

const beginning: CallMessage = { headers: {}, text: 'x'.repeat(900), bytes: 100_001, truncated: true };
const large: Partial<CallEvent> = { incomplete: 'too-large', response: { ...beginning, status: 200 } };
const statement = (parts: Partial<CallEvent>): CallEvent => ({
  ...call('agent -> files', [310, 350], {
    protocol: 'postgres',
    path: 'app',
    statement: 'SELECT * FROM notes',
  }),
  ...{
    method: 'SELECT',
    request: { headers: {}, bytes: 9 },
    response: { status: 200, headers: {}, bytes: 9 },
  },
  ...parts,
});

/** Another service uses it, too. */
const both: Topology = {
  ...chain,
  edges: [...chain.edges, { from: 'gateway', to: 'files', seen: 'statements' }],
};

test.each<[string, CallEvent]>([
  ['a body', call('agent -> files', [310, 350], large)],
  ...[
    { result: { rows: [{ note: notRead('a value of 20001 bytes is not kept') }] } },
    { result: { rows: [{ n: 1 }, notRead('of 300 rows, only the first 200 are kept')] } },
    { result: { copied: { beginning: `a${cutMark}` } } },
  ].map((parts): [string, CallEvent] => [JSON.stringify(parts), statement(parts)]),
])('two that were not kept as a whole do not count as equal: %s', (_, received) => {
  const run = (parts: Parameters<typeof traffic>[0]) =>
    shown([...traffic({ files: null, ...parts }), received], { topology: both });
  const found = blame(run(wrong), run({}));
  expect(found).toMatchObject({
    party: null,
    because: expect.stringMatching(/of agent -> files cannot be compared with the passing run/),
  });
  expect(found?.suspect).toBeUndefined();
});

test('a name that was the same in all passing runs, and is another one now, may be what was wrong', () => {
  const run = (name: string, parts = {}) => shown(traffic({ files: { result: { text: name } }, ...parts }));
  expect(blame(run('plan-2024', wrong), run('plan-2024'))).toMatchObject({ party: 'agent' });
  expect(blame(run('plan-2025', wrong), run('plan-2024'))).toMatchObject({
    party: null,
    suspect: 'files',
    because: expect.stringContaining('has "plan-2025" at $.result.text, where it had "plan-2024"'),
  });
});

test('who is given the folder of another service is not proven', () => {
  expect(blame(shown(traffic(wrong)))).toMatchObject({ party: 'agent', rule: 4 });
  const shared: Topology = { ...chain, shared: [{ path: '/data', by: ['agent', 'files'] }] };
  const found = blame(shown(traffic(wrong), { topology: shared }), shown(traffic(), { topology: shared }));
  expect(found?.suspect).toBeUndefined();
  expect(found).toMatchObject({
    party: null,
    because: expect.stringContaining('files may have written to /data, which it can read'),
  });
});

test('events of a stream over GET are compared once its provider has ended it', () => {
  const stream = (step: string, over: Partial<CallEvent> = {}): CallEvent =>
    call('outside -> agent', [400, 450], {
      method: 'GET',
      path: '/events',
      request: { headers: {}, bytes: 0 },
      response: {
        ...{ status: 200, headers: { 'content-type': 'text/event-stream' }, bytes: 9 },
        events: [{ data: { step: 'queued' } }, { data: { step } }],
      },
      ...over,
    });
  const run = (step: string, over: Partial<CallEvent> = {}) => shown([...traffic(), stream(step, over)]);
  expect(blame(run('answered'), run('failed'))).toMatchObject({ party: 'agent', edge: 'outside -> agent' });
  const cut = { incomplete: 'cut' } as const;
  expect(blame(run('answered', cut), run('failed', cut))).toMatchObject({ party: null });
});

test('a field of the head that nobody missed is not to blame, in a trial that never passed either', () => {
  const faults = [{ by: 'consumer', rule: 'mcp.version-header', what: 'no `mcp-protocol-version`' }] as const;
  const judged = (files: Partial<CallEvent>) =>
    judge(attemptJournal(shown(traffic({ files: { faults, ...files } })))).blame;
  expect(judged({})).toMatchObject({ party: null });
  expect(judged({ response: answered(400) })).toMatchObject({ party: 'agent', rule: 2 });
});

test('of the edges that are not read, those of the suspect are named, or those that the failed check can depend on', () => {
  const unread: Topology = {
    ...chain,
    parties: [
      ...chain.parties,
      ...['clock', 'disk', 'night', 'owl'].map((name) => ({ name, kind: 'service' }) as const),
    ],
    edges: [
      ...chain.edges,
      { from: 'files', to: 'disk', seen: 'bytes' },
      { from: 'agent', to: 'clock', seen: 'bytes' },
      { from: 'night', to: 'owl', seen: 'bytes' },
    ],
  };
  const of = (parts: Parameters<typeof traffic>[0]) =>
    blame(shown(traffic(parts), { topology: unread }), shown(traffic(), { topology: unread }))?.because;
  expect(of(wrong)).toMatch(/; traffic on agent -> clock cannot be observed$/);
  const asked = check({ kind: 'calls', query: { from: 'agent', to: 'gateway' }, expect: ['never'] });
  const same = shown([...traffic(), sampled('it', [])], { topology: unread, record: { checks: [asked] } });
  expect(blame(same, same)?.because).toMatch(
    /; traffic on files -> disk, agent -> clock cannot be observed$/,
  );
});
