import { expect, test } from 'vitest';
import type { PartyKind } from '../journal/topology.ts';
import type { AttemptEventBody } from '../journal/trial-event.ts';
import { type AttemptView, viewAttempt } from './attempt-view.ts';
import { unclaimedChanges } from './unclaimed-changes.ts';

const stored = { id: 'stored', kind: 'rows', query: { service: 'a', table: 'b', where: { n: 1 } } };
const change = (n: unknown, parts: object = {}) => ({
  kind: 'row',
  op: 'inserted',
  service: 'a',
  table: 'b',
  row: { n },
  ...parts,
});
const parties: readonly { name: string; kind: PartyKind }[] = [
  { name: 'mail', kind: 'peer' },
  { name: 'm', kind: 'model' },
  { name: 'x', kind: 'service' },
];

/** The remaining changes after `stored`, with this expectation, has seen one row. */
function unclaimed(changes: readonly object[], shown: readonly object[] = [], says: unknown = [{}]): unknown {
  const bodies = [
    {
      type: 'attempt.started',
      trial: { checks: [{ ...stored, expect: says }] },
      topology: { parties, edges: [], relays: [] },
      scope: {},
    },
    ...shown,
    { type: 'probe.sampled', probe: 'stored', value: [{ m: 2 }], from: 0, to: 0, samples: 1 },
  ] as unknown as AttemptEventBody[];
  const view = viewAttempt(bodies.map((body, index) => ({ seq: index + 1, at: index, ...body })));
  return unclaimedChanges(changes, ['stored'], view as AttemptView);
}

test('a claimed change is removed, an unclaimed one is left', () => {
  expect(unclaimed([change(1), change('1'), { kind: 'call', from: 'outside', to: 'a' }])).toEqual([]);
  for (const stray of [change(2), change(1, { table: 'c' }), { kind: 'call', from: 'a', to: 'x' }])
    expect(unclaimed([change(1), stray])).toEqual([stray]);
});

test('a row that the check was shown is claimed, however the condition spells its values', () => {
  const claimed = (where: object, shown: object, row: object): boolean => {
    const check = { ...stored, query: { ...stored.query, where }, expect: [{}] };
    const bodies = [
      { type: 'attempt.started', trial: { checks: [check] }, scope: {} },
      { type: 'probe.sampled', probe: 'stored', value: [shown], from: 0, to: 0, samples: 1 },
    ] as unknown as AttemptEventBody[];
    const view = viewAttempt(bodies.map((body, index) => ({ seq: index + 1, at: index, ...body })));
    const changes = [{ kind: 'row', op: 'inserted', service: 'a', table: 'b', row }];
    return (unclaimedChanges(changes, ['stored'], view as AttemptView) as unknown[]).length === 0;
  };
  const row = { id: 1, fixed: 'ab    ', yes: true, doc: { a: 1 }, list: [1, 2] };
  const wheres = [{ fixed: 'ab' }, { yes: 'yes' }, { doc: '{"a":1}' }, { list: '{1,2}' }];
  for (const where of [...wheres, { $any: [{ fixed: 'ab' }, { fixed: 'x' }] }]) {
    expect([where, claimed(where, row, row)]).toEqual([where, true]);
    expect([where, claimed(where, row, { ...row, fixed: 'b', yes: false, doc: 2, list: [] })]).toEqual([
      where,
      false,
    ]);
  }
  const both = { id: 1, fixed: 'ab' };
  expect(claimed(both, { fixed: row.fixed }, row)).toBe(true);
  expect(claimed(both, { fixed: row.fixed }, { ...row, id: 2 })).toBe(false);
  expect(claimed(both, { yes: true }, row)).toBe(false);
});

test('a check of many tables claims the rows that it was shown, and what it would miss', () => {
  const left = (query: object, changes: readonly object[], says: unknown = [{}]): unknown => {
    const check = { ...stored, query, expect: says };
    const value = [{ service: 'a', table: 'b', row: { n: 1 } }];
    const bodies = [
      { type: 'attempt.started', trial: { checks: [check] }, scope: {} },
      { type: 'probe.sampled', probe: 'stored', value, from: 0, to: 0, samples: 1 },
    ] as unknown as AttemptEventBody[];
    const view = viewAttempt(bodies.map((body, index) => ({ seq: index + 1, at: index, ...body })));
    return unclaimedChanges(changes, ['stored'], view as AttemptView);
  };
  const audit = change(1, { table: 'audit' });
  const everywhere = { service: '*', table: '*' };
  const wheres = [
    { table: { $ne: 'audit' } },
    { table: 'b' },
    { row: { n: 1 } },
    { text: { $contains: '1' } },
  ];
  for (const where of [undefined, ...wheres])
    expect([where, left({ ...everywhere, where }, [change(1), audit])]).toEqual([where, [audit]]);
  const gone = (parts: object): object => change(2, { op: 'deleted', ...parts });
  expect(left({ ...everywhere, where: { table: 'b' } }, [gone({}), gone({ table: 'audit' })])).toEqual([
    gone({ table: 'audit' }),
  ]);
  expect(left({ service: '!a', table: '*' }, [gone({}), gone({ service: 'c' })])).toEqual([gone({})]);
});

test('a deleted row is claimed by a check that would not hold with it', () => {
  const gone = change(1, { op: 'deleted' });
  expect(unclaimed([gone], [], { $some: { m: 2 } })).toEqual([gone]);
  for (const says of [[{ m: 2 }], { $length: 1 }, { $each: { m: 2 } }])
    expect(unclaimed([gone], [], says)).toEqual([]);
});

test('a call taken by a line of the trial is claimed; one taken by a standing line is not', () => {
  const mail = { kind: 'call', from: 'a', to: 'mail', protocol: 'http', method: 'POST', path: '/to/all' };
  const turn = { kind: 'call', from: 'a', to: 'm', protocol: 'http', method: 'POST', path: '/v1/messages' };
  const calls = [mail, turn].flatMap((call) => [1, 2].map((crossing) => ({ ...call, crossing })));
  const peer = {
    type: 'peer.called',
    resource: 'mail',
    caller: 'a',
    method: 'POST',
    path: '/to/all',
    line: 1,
  };
  const model = { type: 'model.called', resource: 'm', caller: 'a', mode: 'script', dialect: 'anthropic' };
  const scripted = [peer, { ...model, line: 1, startedAt: 1 }];
  expect(unclaimed(calls, [...scripted, peer, { ...model, line: 2, startedAt: 2 }])).toEqual([]);
  const standing = [
    { ...peer, standing: true },
    { ...model, startedAt: 2 },
  ];
  expect(unclaimed(calls, [...scripted, ...standing])).toEqual([calls[1], calls[3]]);
  const rpc = { ...mail, protocol: 'json-rpc', method: 'send', crossing: 1 };
  expect(unclaimed([rpc], standing)).toEqual([rpc]);
});
