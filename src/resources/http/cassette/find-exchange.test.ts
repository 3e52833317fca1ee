import { expect, test } from 'vitest';
import { RenamedIds } from '../../cassette/renamed-ids.ts';
import type { ExchangeParts, RecordedExchange } from './exchange-parts.ts';
import { driftIn, findExchange, idParts } from './find-exchange.ts';

const uuid = (digit: string): string =>
  `${digit.repeat(8)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(12)}`;

const pay = (more: Partial<ExchangeParts> = {}): ExchangeParts => ({
  method: 'POST',
  path: '/payments',
  query: { currency: 'EUR' },
  json: { order: uuid('a'), amount: 7, at: '2026-01-02T03:04:05Z', ts: 1_767_323_045 },
  ...more,
});

const recorded = (request: ExchangeParts, call = 1): RecordedExchange => ({
  caller: 'shop',
  call,
  request,
  response: { status: 200, headers: {}, pieces: [], end: 'whole' },
});

test('ids, dates and times may differ, every other difference is reported by its part', () => {
  const drift = (more: Partial<ExchangeParts>): readonly string[] =>
    driftIn(pay(), pay(more), new RenamedIds());
  expect(drift({ json: { order: uuid('b'), amount: 7, at: '2027-09-09', ts: 1_800_000_000 } })).toEqual([]);
  expect(drift({ method: 'PUT' })).toEqual(['the method changed from POST to PUT']);
  expect(drift({ path: '/refunds' })).toEqual([expect.stringMatching(/^the path changed: /)]);
  expect(drift({ query: { currency: 'USD' } })).toEqual([
    'the query changed: recorded "EUR", now "USD", at $.currency',
  ]);
  expect(drift({ json: 7 })).toEqual([
    expect.stringMatching(/^the body changed: recorded .*, now 7, at \$$/),
  ]);
  const { json: _, ...bare } = pay();
  expect(driftIn(pay(), bare, new RenamedIds())).toEqual(['the body changed: recorded JSON, now none']);
  expect(driftIn({ ...bare, text: 'a b c' }, { ...bare, text: 'a x c' }, new RenamedIds())).toHaveLength(1);
  expect(driftIn({ ...bare, base64: 'AA==' }, { ...bare, base64: 'AQ==' }, new RenamedIds())).toEqual([
    'the body changed: its bytes differ, and they are not text',
  ]);
  expect(
    driftIn({ ...bare, form: { a: ['1', '2'] } }, { ...bare, form: { a: '1' } }, new RenamedIds()),
  ).toHaveLength(1);
});

test('an id replaces one other id, from the first request to the last', () => {
  const ids = new RenamedIds();
  const of = (id: string): ExchangeParts => pay({ path: `/payments/${id}`, json: undefined });
  ids.learn(idParts(of(uuid('a'))), idParts(of(uuid('b'))));
  expect(driftIn(of(uuid('a')), of(uuid('b')), ids)).toEqual([]);
  expect(driftIn(of(uuid('a')), of(uuid('c')), ids)).toEqual([
    `an id changed: got ${uuid('c')}, expected ${uuid('b')} (${uuid('a')} in the recording)`,
  ]);
  expect(driftIn(of(uuid('d')), of(uuid('b')), ids)).toEqual([
    `an id changed: ${uuid('b')} replaces two different ids: ${uuid('a')} and ${uuid('d')}`,
  ]);
  ids.learnOwn(`{"id":"${uuid('e')}"}`);
  expect(driftIn(of(uuid('e')), of(uuid('f')), ids)).toEqual([
    `an id changed: got ${uuid('f')}, expected ${uuid('e')}`,
  ]);
  expect(ids.rename(`${uuid('a')}, ${uuid('e')} and ${uuid('b')}`)).toBe(
    `${uuid('b')}, ${uuid('e')} and ${uuid('b')}`,
  );
});

test('side by side, each request finds its own; and what was asked too often is reported', () => {
  const all = [recorded(pay({ json: { n: 1 } }), 1), recorded(pay({ json: { n: 2 } }), 2)];
  const ids = new RenamedIds();
  expect(findExchange(pay({ json: { n: 2 } }), all, all, ids)).toEqual({ found: all[1] });
  expect(findExchange(pay({ json: { n: 3 } }), all, all, ids)).toEqual({
    drift: 'the body changed: recorded 1, now 3, at $.n',
    nearest: all[0],
  });
  expect(findExchange(pay({ json: { n: 1 } }), all, [], ids)).toEqual({
    drift: 'the recording has 2 calls POST /payments, and all have been played',
  });
  expect(findExchange(pay({ method: 'GET', path: '/x' }), all, all, ids)).toEqual({
    drift: 'GET /x is not in the recording, which has POST /payments',
  });
  expect(findExchange(pay(), [], [], ids)).toEqual({
    drift: 'POST /payments is not in the recording, which has nothing of this caller',
  });
});
