/** A service with several listeners is one party: `shop -> bank.admin` leads to bank. */
import { expect, test } from 'vitest';
import { answered, asked, call, check, type JournalParts } from '../../../test/harness/attempt-journal.ts';
import {
  died,
  felt,
  judgeSituation,
  refused,
  shown,
  silent,
} from '../../../test/harness/blame-situations.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { Topology } from '../../journal/topology.ts';
import type { AttemptEventBody } from '../../journal/trial-event.ts';

const incoming = 'shop -> bank.admin';
const topology: Topology = {
  parties: ['shop', 'bank', 'ledger'].map((name) => ({ name, kind: 'service' })),
  edges: [
    ...['shop', 'bank', 'bank.admin', 'ledger'].map((to) => ({
      from: 'outside',
      to,
      seen: 'calls' as const,
    })),
    { from: 'shop', to: 'bank', seen: 'calls' },
    { from: 'shop', to: 'bank.admin', seen: 'calls' },
    { from: 'bank', to: 'ledger', seen: 'calls' },
  ],
  relays: [{ name: 'charge', incoming, outgoing: 'bank -> ledger', same: ['request.json.amount'] }],
};
const charge = { request: asked({ amount: 5 }) };

type Did = Readonly<Partial<Record<'outer' | 'bank' | 'ledger', Partial<CallEvent>>>>;

const calls = ({ outer, bank, ledger }: Did = {}, edge = incoming): CallEvent[] => [
  call('bank -> ledger', [100, 250], { ...charge, ...ledger }),
  call(edge, [50, 300], { ...charge, ...bank }),
  call('outside -> shop', [10, 390], outer),
];
const run = (events: readonly AttemptEventBody[], over: JournalParts = {}, to = 'shop') =>
  shown(events, {
    topology,
    ...over,
    record: { steps: [{ name: 'ask', line: 3, driver: 'http', to }], ...over.record },
  });
const passed = run(calls());
const blame = (parts: JournalParts, reference?: JournalParts) =>
  judgeSituation({ parts, ...(reference ? { reference } : {}), party: null, rule: 5 }).blame;

const answers = (status: number, text = 'fine') => ({ response: answered(status, { text }) });
const late = { evidence: { error: { kind: 'timeout' } } };
const open = (did: Did): CallEvent[] =>
  calls(did).map((one) => (one.from === 'bank' && did.ledger ? one : silent({ ...one, endedAt: 8_000 })));

test('what a service only passed on is the fault of the one behind it', () => {
  const failed = calls({ ledger: answers(500), bank: answers(502), outer: answers(502) });
  expect(blame(run(failed))).toMatchObject({ party: 'ledger', rule: 2 });
  expect(blame(run(open({}), late))).toMatchObject({ party: 'ledger', rule: 1 });
  const wrong = answers(200, 'wrong');
  const differs = run(calls({ ledger: wrong, bank: wrong, outer: wrong }));
  expect(blame(differs, passed)).toMatchObject({ party: 'ledger', rule: 4, edge: 'bank -> ledger' });
});

test.each<[string, JournalParts, JournalParts | undefined, number]>([
  ['silence', run(open({ ledger: {} }), late), undefined, 1],
  ['a refused connection', run([refused('shop', 'bank.admin')]), undefined, 1],
  ['a failure of its own', run(calls({ bank: answers(500), outer: answers(502) })), undefined, 2],
  ['another behaviour', run(calls({ bank: answers(200, 'x'), outer: answers(200, 'x') })), passed, 4],
])('what shows at a listener is blamed on its service, with the edge: %s', (_, parts, reference, rule) => {
  expect(blame(parts, reference)).toMatchObject({ party: 'bank', rule, edge: incoming });
});

test('a relay may begin at a listener', () => {
  const lost = run(calls({ ledger: { request: asked({ amount: 6 }) } }));
  expect(blame(lost)).toMatchObject({ party: 'bank', rule: 3, edge: 'bank -> ledger' });
});

test('another listener that answers later does not make up for the one that is not there', () => {
  const answer = call('outside -> bank', [300, 310]);
  expect(blame(run([refused('shop', 'bank.admin'), answer]))).toMatchObject({ party: 'bank', rule: 1 });
  const there = call('outside -> bank.admin', [300, 310]);
  expect(blame(run([refused('shop', 'bank.admin'), there]))).toMatchObject({ party: null });
});

test('who asks at another listener than before behaves differently, whatever the answer', () => {
  const wrong = answers(403, 'no');
  const elsewhere = run(calls({ bank: wrong, outer: wrong }, 'shop -> bank'));
  expect(blame(elsewhere, passed)).toMatchObject({ party: 'shop', rule: 4 });
});

test('a service is involved where a failed check looks at one of its listeners, or a step asked there', () => {
  const looks = check({ id: 'looks', kind: 'calls', query: { from: 'shop', to: 'bank.admin' }, count: 1 });
  expect(blame(run([died('bank')], { record: { checks: [looks] } }))).toMatchObject({ party: 'bank' });
  const direct = (text: string): CallEvent[] => [
    call('bank -> ledger', [100, 250], charge),
    call('outside -> bank.admin', [50, 390], { ...charge, ...answers(200, text) }),
  ];
  const [is, was] = ['wrong', 'fine'].map((text) => run(direct(text), {}, 'bank'));
  expect(blame(is as JournalParts, was)).toMatchObject({ party: 'bank', edge: 'outside -> bank.admin' });
});

test.each([
  ['shop -> bank', 'passed'],
  [incoming, 'passed'],
  ['bank -> ledger', 'failed'],
])('the check blame means the service, and its edge %s', (edge, verdict) => {
  const blamed = check({ id: 'blamed', kind: 'blame', query: { party: 'bank', edge } });
  const parts = run([...calls(), felt('shop', 'bank.admin', 51, 'cut')], { record: { checks: [blamed] } });
  const { checks } = judgeSituation({ parts, party: null, rule: 5 });
  expect(checks.find(({ id }) => id === 'blamed')).toMatchObject({ verdict });
});
