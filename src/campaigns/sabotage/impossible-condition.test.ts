/** Which absences nothing could break, by what the same source has shown. */
import { expect, test } from 'vitest';
import { impossibleCondition } from './impossible-condition.ts';
import { collectRunFacts } from './run-facts.ts';
import type { Subject } from './sabotage-attempt.ts';
import { namedValues, neverSent } from './source-facts.ts';

interface Around {
  readonly sources?: string;
  readonly kind?: string;
  /** What trials of the run have sent, and the names under which this one has sent the value. */
  readonly sent?: object;
  readonly names?: readonly string[];
  /** By column. */
  readonly declared?: object;
}

/** What is wrong with `where` on rows of which these were seen in the run. */
function fault(
  where: unknown,
  elements: readonly object[],
  { sources = '', kind = 'rows', sent = {}, names, declared = {} }: Around = {},
): string | undefined {
  const view = {
    events: [{ type: 'step.started', step: 's', sent }],
    steps: new Map(),
    scope: {},
    declared: new Map([[`${kind} a`, declared]]),
    calls: [],
    performed: [{ id: 'c', kind, source: `${kind} a` }],
    probes: new Map([['c', { samples: [{ type: 'probe.sampled', value: elements }], end: undefined }]]),
  };
  const facts = collectRunFacts(
    [{ view, checksUnderTest: [{ kind, source: `${kind} a`, value: elements }] } as unknown as Subject],
    [],
    sources,
  );
  const looked = {
    kind,
    source: `${kind} a`,
    where,
    question: {},
    absence: true,
    mode: 'quiet',
    expectation: {},
  };
  return impossibleCondition(looked as never, () => names && new Set(names), facts);
}

const rows = [
  { state: 'open', isPaid: true, amount: 5, at: '2026-01-01T00:00:00Z' },
  { state: 'cancelled', isPaid: false, amount: 7, at: '2026-01-02T00:00:00Z' },
];

test.each([
  ['a flag that is not set', { isPaid: null }],
  ['a value of the run', { state: 'open' }],
  ['a word for trouble', { state: 'failed' }],
  ['far more than was seen', { amount: { $gt: 900_000 } }],
  ['a negative number', { amount: { $lt: 0 } }],
  ['later than now', { at: { $gt: '2099-01-01T00:00:00Z' } }],
])('%s can be there', (_, where) => {
  expect(fault(where, rows)).toBeUndefined();
});

test.each([
  ['another word than the run has', { state: 'archived' }],
  ['a misspelt word', { state: 'canceled' }],
  ['a part of a word', { state: 'cancel' }],
  ['what contradicts itself', { amount: { $all: [{ $gt: 10 }, { $lt: 5 }] } }],
  ['a text for a flag', { isPaid: 'yes' }],
])('%s cannot', (_, where) => {
  expect(fault(where, rows)).toMatch(/^it selects by/);
});

test.each([
  ['quoted', "state = 'archived'"],
  ['a constant of an enum', 'enum State { OPEN, ARCHIVED }', 'ARCHIVED'],
  ['a symbol of Ruby', 'state :archived'],
  ['a value of YAML', 'states:\n  - archived\n'],
])('what stands in the sources can be there: %s', (_, sources, state = 'archived') => {
  expect(fault({ state }, rows, { sources })).toBeUndefined();
});

test.each([
  ['a comment', '// archived orders are not listed here'],
  ['a longer word', "state = 'archivedAt'"],
])('%s is no value', (_, sources) => {
  expect(fault({ state: 'archived' }, rows, { sources })).toMatch(/^it selects by/);
});

test('a value that was sent under the name of the place belongs there, whatever others were sent under', () => {
  const sent = { json: { name: 'ada-lovelace' } };
  const orders = [{ customer_id: 'ada-lovelace' }];
  const of = (names: readonly string[]) => fault({ customer_id: 'grace-hopper' }, orders, { sent, names });
  expect(of(['customerid'])).toBeUndefined();
  expect(of(['name'])).toBeUndefined();
  expect(of(['city'])).toContain('it was sent as something else');
});

const spots = [
  { id: 'A1', note: 'late', serial: 1, state: 'open', path: 'receipts/1.json' },
  { id: 'B-2', note: 'x', serial: 2, state: 'closed', path: 'receipts/1.md' },
];

test.each([
  ['other signs', { id: 'A-1' }],
  ['a blank behind', { id: 'A1 ' }],
  ['other capitals', { id: 'a1' }],
  ['a number that no thing has reached', { serial_id: 999 }],
  ['a word for trouble that the code does not have', { state: 'FAILED' }],
])('%s cannot be there', (_, where) => {
  const shown = spots.map((spot) => ({ ...spot, serial_id: spot.serial }));
  expect(fault(where, shown, { sources: "state = 'open'; state = 'closed'" })).toBeDefined();
});

test.each([
  ['the next number', { serial_id: 3 }, ''],
  ['a word for trouble, where the code is not here', { state: 'failed' }, ''],
  ['one that the code has', { state: 'failed' }, "'open' 'failed'"],
  ['another number in a name', { path: { $regex: '^receipts/([2-9]|1\\d)' } }, ''],
])('%s can be there', (_, where, sources) => {
  const shown = spots.map((spot) => ({ ...spot, serial_id: spot.serial }));
  expect(fault(where, shown, { sources })).toBeUndefined();
});

test.each([
  ['more than the bound', { amount: { $gt: 9 } }, 'at most 9'],
  ['a label that the column does not have', { state: 'failed' }, 'open, cancelled'],
  ['nothing, where there is always something', { isPaid: null }, 'never null'],
])('%s is refused by the database', (_, where, why) => {
  const declared = {
    amount: { type: 'integer', most: 9 },
    state: { values: ['open', 'cancelled'] },
    isPaid: { always: true },
  };
  expect(fault(where, rows)).toBeUndefined();
  expect(fault(where, rows, { declared })).toContain(why);
});

test('a line that begins with a level in other capitals is none of this log', () => {
  const lines = [{ text: 'WARN cancelled' }, { text: 'INFO entered' }];
  expect(fault({ text: { $regex: '^warn: ' } }, lines, { kind: 'events' })).toBeDefined();
  expect(fault({ text: { $regex: '^WARN: ' } }, lines, { kind: 'events' })).toBeUndefined();
});

test('the id of an attempt that no step has sent is nowhere', () => {
  const view = (sent: object) => ({
    events: [{ type: 'step.started', step: 's', sent }],
    steps: new Map(),
    scope: { trial: { uid: 'trial-7' } },
    calls: [],
  });
  const names = (sent: object) => [...(namedValues(view(sent) as never)('trial-7') ?? [])];
  expect(names({ note: 'x' })).toEqual([neverSent]);
  expect(names({ note: 'of trial-7' })).not.toContain(neverSent);
});
