/** A receiver is not proven to have changed where what it received may have been something else. */
import { expect, test } from 'vitest';
import { call, check } from '../../../test/harness/attempt-journal.ts';
import { blamed, mailed, run, statement } from '../../../test/harness/queue-situations.ts';
import type { CallEvent } from '../../journal/call-event.ts';

type Calls = readonly CallEvent[];

const told = check({
  id: 'told',
  kind: 'calls',
  query: { from: 'worker', to: 'mailer' },
  expect: [{ request: { json: { about: 'lamp' } } }],
});

const shown = (was: Calls, is: Calls) => {
  const seen = (calls: Calls) => calls.filter(({ from, to }) => from === 'worker' && to === 'mailer');
  return blamed(run(told, was, seen(was)), run(told, is, seen(is)));
};

/** What `api` sends to `worker` is what the rest depends on. */
const passedOn = (request: object, more: object = {}): Calls => [
  call('api -> worker', [20, 90], { request: { headers: {}, bytes: 9, ...request }, ...more }),
];

test.each<[string, object, object]>([
  [
    'a credential',
    { headers: { authorization: 'Bearer …' }, json: {} },
    { headers: { authorization: 'Bearer …' }, json: {} },
  ],
  ['a day', { json: { day: '2031-12-24' } }, { json: { day: '2031-12-23' } }],
  ['a moment', { json: { at: '2031-12-24T10:00:00Z' } }, { json: { at: '2031-12-24T11:00:00Z' } }],
  ['an hour', { json: { at: '10:30' } }, { json: { at: '11:30' } }],
  ['bytes', { bytes: 8 }, { bytes: 8 }],
])('%s that may be another one proves nothing against its receiver', (_, then, now) => {
  const about = (request: object, said: string): Calls => [
    ...passedOn(request),
    statement('worker -> db', 30, 'INSERT INTO notes VALUES ($1)', said),
    mailed(50, said),
  ];
  expect(shown(about(then, 'lamp'), about(now, 'cup'))?.party ?? null).toBeNull();
  expect(
    shown(about({ json: { day: 'now' } }, 'lamp'), about({ json: { day: 'now' } }, 'cup')),
  ).toMatchObject({
    party: 'worker',
  });
});

test('bytes of another number, and another path of a tool server, are another request', () => {
  const rpc = (path: string) => ({
    protocol: 'json-rpc',
    method: 'tools/call',
    path,
    params: { name: 'quote' },
    result: {},
  });
  const about = (request: object, more: object, said: string): Calls => [
    ...passedOn(request, more),
    statement('worker -> db', 30, 'INSERT INTO notes VALUES ($1)', said),
    mailed(50, said),
  ];
  expect(shown(about({ bytes: 8 }, {}, 'lamp'), about({ bytes: 10 }, {}, 'cup'))).toMatchObject({
    party: 'api',
  });
  expect(shown(about({}, rpc('/lamp/mcp'), 'lamp'), about({}, rpc('/cup/mcp'), 'cup'))).toMatchObject({
    party: 'api',
  });
});

test('marks tell equal credentials from others', () => {
  const about = (mark: string, said: string): Calls => [
    ...passedOn({ headers: { authorization: 'Bearer …' }, credentials: { authorization: mark }, json: {} }),
    statement('worker -> db', 30, 'INSERT INTO notes VALUES ($1)', said),
    mailed(50, said),
  ];
  expect(shown(about('wqhzmbtk', 'lamp'), about('wqhzmbtk', 'cup'))).toMatchObject({ party: 'worker' });
  expect(shown(about('wqhzmbtk', 'lamp'), about('pdfyrxao', 'cup'))).toMatchObject({ party: 'api' });
});
