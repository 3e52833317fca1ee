import { describe, expect, test } from 'vitest';
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
  return unclaimedChanges(changes, ['stored'], view as AttemptView, () => true);
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
    return (unclaimedChanges(changes, ['stored'], view as AttemptView, () => true) as unknown[]).length === 0;
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
    return unclaimedChanges(changes, ['stored'], view as AttemptView, () => true);
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

describe('a check that held before the end', () => {
  const sample = (probe: string, value: readonly object[]): object => ({
    type: 'probe.sampled',
    probe,
    ...{ value, from: 0, to: 0, samples: 1 },
  });
  /** What is left when the check saw `then`, and at the end `last`, for which it holds no longer, or still. */
  const left = (
    check: object,
    changes: readonly object[],
    [then, last]: readonly (readonly object[])[],
    holds = false,
  ): unknown => {
    const bodies = [
      { type: 'attempt.started', trial: { checks: [{ ...stored, expect: [{}], ...check }] }, scope: {} },
      sample('stored', then ?? []),
      ...(last ? [sample('stored/end', last)] : []),
    ] as unknown as AttemptEventBody[];
    const view = viewAttempt(bodies.map((body, index) => ({ seq: index + 1, at: index, ...body })));
    return unclaimedChanges(changes, ['stored'], view as AttemptView, () => holds);
  };

  test('claims the rows that it was shown, and all of its rows while it still holds', () => {
    const [first, second] = [change(1, { row: { n: 1, id: 1 } }), change(1, { row: { n: 1, id: 2 } })];
    const shown = [[{ id: 1 }], [{ id: 1 }, { id: 2 }]];
    expect(left({}, [first, second], shown)).toEqual([second]);
    expect(left({}, [first, second], shown, true)).toEqual([]);
    expect(left({}, [first, second], [[{ id: 1 }]])).toEqual([]);
    const gone = change(1, { op: 'deleted', row: { n: 1, id: 1 } });
    expect(left({}, [gone], [[{ id: 1 }], []])).toEqual([gone]);
  });

  test('claims rows of many tables that it was shown', () => {
    const query = { service: '*', table: '*' };
    const [first, second] = [1, 2].map((n) => ({ service: 'a', table: 'b', row: { n } })) as [object, object];
    const both = [change(1), change(2)];
    expect(left({ query }, both, [[first], [first, second]])).toEqual([change(2)]);
    expect(left({ query }, both, [[first], [first, second]], true)).toEqual([]);
  });

  test('claims the calls that it was shown', () => {
    const query = { from: 'a', to: 'x' };
    const [first, second] = [1, 2].map((crossing) => ({ kind: 'call', from: 'a', to: 'x', crossing }));
    const both = [first, second] as object[];
    const shown = [[{ ...first, incomplete: 'in-flight' }], both];
    expect(left({ kind: 'calls', query }, both, shown)).toEqual([second]);
    expect(left({ kind: 'calls', query }, both, shown, true)).toEqual([]);
  });

  test('claims files as they were then, and not one to which something was appended', () => {
    const written = { kind: 'file', service: 'a', path: 'r', op: 'created' };
    const file = { kind: 'files', query: { service: 'a', path: 'r' } };
    const as = (sha256: string): object => ({ path: 'r', sha256 });
    expect(left(file, [written], [[as('1')], [as('1')]])).toEqual([]);
    expect(left(file, [written], [[as('1')], [as('2')]])).toEqual([written]);
    expect(left(file, [written], [[as('1')], [as('2')]], true)).toEqual([]);
    const gone = { ...written, op: 'deleted' };
    expect(left(file, [gone], [[as('1')], []])).toEqual([gone]);
    const events = { kind: 'events', query: { service: 'a', file: 'r' } };
    expect(left(events, [written], [[{ n: 1 }], [{ n: 1 }, { n: 2 }]])).toEqual([written]);
    expect(left(events, [written], [[{ n: 1 }], [{ n: 1 }]], true)).toEqual([]);
  });
});
