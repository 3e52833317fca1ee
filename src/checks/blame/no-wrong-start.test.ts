/** What a party got while the system started is input, too: where it differs from the passing runs, or is not known, it is not proven. */
import { expect, test } from 'vitest';
import { answered, asked, call, chain } from '../../../test/harness/attempt-journal.ts';
import { judgeSituation, shown, silent, traffic } from '../../../test/harness/blame-situations.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { Topology } from '../../journal/topology.ts';
import { collectEarlier } from './reference/collect-earlier.ts';

const topology: Topology = {
  ...chain,
  parties: [...chain.parties, { name: 'db', kind: 'resource' }, { name: 'migrate', kind: 'job' }],
  edges: [
    ...chain.edges,
    { from: 'files', to: 'agent', seen: 'calls' },
    { from: 'agent', to: 'db', seen: 'statements' },
    { from: 'migrate', to: 'db', seen: 'statements' },
  ],
  prepared: [{ resource: 'db', by: ['migrate'], state: 'same' }],
};
const collected = (events: readonly unknown[]) => {
  const earlier = collectEarlier(topology);
  for (const event of events) earlier.note(event as JournalEvent);
  return earlier;
};
const early = (...calls: readonly CallEvent[]) => collected(calls).begin();
const registers = (json: unknown, at = -900) =>
  call('files -> agent', [at, at + 10], { path: '/register', request: asked(json) });
const reads = (json: unknown) =>
  call('agent -> files', [-800, -790], {
    method: 'GET',
    path: '/price',
    request: { headers: {}, bytes: 0 },
    response: answered(200, json),
  });
const selects = (t: number): CallEvent => ({
  ...call('agent -> db', [-700, -690], {
    protocol: 'postgres',
    path: 'app',
    statement: 'SELECT t FROM tax',
  }),
  ...{
    method: 'SELECT',
    request: { headers: {}, bytes: 9 },
    response: { status: 200, headers: {}, bytes: 9 },
  },
  result: { rows: [{ t }] },
});
const wrong = { outer: { response: answered(200, { text: 'wrong' }) } };
const failing = { outer: { response: answered(500, { text: 'wrong' }) } };
const run = (calls: readonly CallEvent[] | undefined, parts = {}) =>
  shown(traffic(parts), { topology, ...(calls ? { before: early(...calls) } : {}) });
const blame = (
  was: readonly CallEvent[] | undefined,
  is: readonly CallEvent[] | undefined,
  parts: object = wrong,
) => judgeSituation({ parts: run(is, parts), reference: run(was), party: null, rule: 5 }).blame;

test('who got the same while the system started is proven', () => {
  const id = () => crypto.randomUUID();
  for (const again of [[], [registers({ price: 5 }, -500)]]) {
    const [was, is] = [5, 5].map((price) => [registers({ price, id: id() }), reads({ price }), selects(19)]);
    expect(blame(was, [...(is ?? []), ...again.map(() => is?.[0] as CallEvent)])).toMatchObject({
      party: 'agent',
      rule: 4,
    });
  }
  expect(blame([], [])).toMatchObject({ party: 'agent', rule: 4 });
  expect(blame(undefined, undefined)).toMatchObject({ party: 'agent', rule: 4 });
});

test.each<[string, readonly CallEvent[] | undefined, readonly CallEvent[] | undefined, string?]>([
  ['was told something else', [registers({ price: 5 })], [registers({ price: 500 })], 'files'],
  [
    'was told something under another name',
    [registers({ plan: 'plan-2024' })],
    [registers({ plan: 'plan-2025' })],
  ],
  ['was told nothing', [registers({ price: 5 })], []],
  ['was told something new', [], [registers({ price: 5 })]],
  [
    'was told something more',
    [registers({ price: 5 })],
    [registers({ price: 5 }), registers({ price: 500 }, -400)],
  ],
  ['read something else from a service', [reads({ price: 5 })], [reads({ price: 500 })], 'files'],
  ['read something else from a store', [selects(19)], [selects(190)]],
  ['was told something, which is not known of then', undefined, [registers({ price: 5 })]],
  ['was told something then, and now it is not known', [registers({ price: 5 })], undefined],
])('who %s while the system started is not proven', (_, was, is, suspect) => {
  const found = blame(was, is);
  expect(found).toMatchObject({ party: null, because: expect.stringMatching(/before the trial began/) });
  if (suspect !== undefined) expect(found?.suspect).toBe(suspect);
  // Of what is not known, the other rules need no comparison.
  const isKnown = was !== undefined && is !== undefined;
  expect(blame(was, is, failing)).toMatchObject({ party: isKnown ? null : 'agent' });
});

test('what came late, or is only what a party itself put into a store, keeps nobody from proof', () => {
  const found = (was: readonly CallEvent[], is: readonly CallEvent[], late: readonly CallEvent[] = []) =>
    judgeSituation({
      parts: { ...run(is, wrong), events: [...traffic(wrong), ...late] },
      reference: run(was),
      party: null,
      rule: 5,
    }).blame;
  const late = registers({ price: 5 }, 5);
  expect(found([registers({ price: 5 })], [], [late])?.because).not.toMatch(/before the trial began/);
  const inserts = { ...selects(1), method: 'INSERT', statement: 'INSERT INTO tax VALUES (1)' };
  expect(found([inserts], [])).toMatchObject({ party: 'agent', rule: 4 });
});

test('more than is kept is not known', () => {
  const many = (last: number) =>
    Array.from({ length: 200 }, (_, n) => registers({ price: n === 199 ? last : n }));
  expect(early(...many(1)).cut).toEqual(['files -> agent']);
  expect(blame(many(500), many(501))).toMatchObject({ party: null });
});

test('what passes between two attempts is from before where a service was started anew', () => {
  const starting = (name: string) => ({ type: 'node.starting', kind: 'service', name });
  const earlier = collected([starting('agent'), registers({ price: 5 })]);
  const prices = () => earlier.begin().calls.map(({ request }) => (request as { body: object }).body);
  const note = (...events: readonly unknown[]) => {
    for (const event of events) earlier.note(event as JournalEvent);
  };
  expect(prices()).toEqual([{ price: 5 }]);
  note(registers({ price: 6 }), starting('files'), starting('agent'), registers({ price: 6 }));
  earlier.end();
  note(registers({ price: 7 }));
  expect(prices()).toEqual([{ price: 5 }]);
  earlier.end();
  // Its memory is gone; that of the other one is not.
  note(starting('agent'));
  expect(prices()).toEqual([{ price: 5 }]);
  earlier.end();
  note(starting('files'), registers({ price: 8 }));
  expect(prices()).toEqual([{ price: 8 }]);
  earlier.lose();
  expect(earlier.begin().cut).toContain('files -> agent');
});

test('what comes on a stream that is left open, or with a call from before, is not recorded', () => {
  const events = (open: readonly string[]) => [
    ...traffic(wrong),
    { type: 'edges.passed', edges: [], open } as const,
  ];
  const found = (...open: readonly string[]) =>
    judgeSituation({ parts: shown(events(open)), reference: shown(traffic()), party: null, rule: 5 }).blame;
  expect(found('outside -> agent', 'gateway -> model')).toMatchObject({ party: 'agent', rule: 4 });
  expect(found('agent -> files')).toMatchObject({ party: null });
  expect(found('agent -> files')?.suspect).toBeUndefined();
});

test('who gives no answer to a request that was not sent to its end is not proven by comparison', () => {
  const run = (parts: Partial<CallEvent['request']>, over: CallEvent[]) =>
    shown([
      ...traffic({ files: null }),
      ...over.map((one) => ({ ...one, request: { ...one.request, ...parts } })),
    ]);
  const job = call('agent -> files', [310, 350], { path: '/job' });
  const hung = silent({ ...job, endedAt: 9_000 });
  const found = (parts: Partial<CallEvent['request']>) =>
    judgeSituation({ parts: run(parts, [hung]), reference: run({}, [job]), party: null, rule: 5 }).blame;
  expect(found({})).toMatchObject({ party: 'files', rule: 4 });
  expect(found({ unfinished: true })).toMatchObject({ party: null });
});
