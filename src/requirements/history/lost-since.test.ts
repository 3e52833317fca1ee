import { expect, test } from 'vitest';
import { type Declared, lostSince } from './lost-since.ts';
import { suiteOutline } from './suite-outline.ts';

function declared(requirements: readonly string[], files: Readonly<Record<string, string>>): Declared {
  const { trials, unreadable } = suiteOutline(Object.keys(files), (file) => files[file]);
  expect(unreadable).toEqual([]);
  return { requirements: requirements.map((id) => ({ id })), trials };
}

const trial = `id: shop/pay
covers: [A, B]
use: [part.yaml]
cases: { card: {}, cash: {} }
steps:
  - { http: GET shop/, as: page, expect: { status: 200 } }
  - { http: GET shop/cart, expect: { status: 200 } }
checks:
  paid: { rows: shop.orders, count: 1 }
`;
const flow =
  "flow('twice', { id: 'shop/twice', covers: ['B'] }, async ({ expect, check }) => {\n  expect(1, 1);\n  check('once', 1, 1);\n});\n";
const before = declared(['A', 'B'], { 'pay.trial.yaml': trial, 'twice.flow.ts': flow });

function lost(
  changes: Readonly<Record<string, string>>,
  requirements: readonly string[] = ['A', 'B'],
): readonly string[] {
  const files = { 'pay.trial.yaml': trial, 'twice.flow.ts': flow, ...changes };
  const now = declared(
    requirements,
    Object.fromEntries(Object.entries(files).filter(([, text]) => text !== '')),
  );
  return lostSince('v1', before, now).map(({ kind, text }) => `${kind}: ${text}`);
}

test('nothing is lost when everything exists, even in another file', () => {
  expect(lost({})).toEqual([]);
  expect(lost({ 'pay.trial.yaml': '', 'moved/pay.trial.yaml': trial })).toEqual([]);
  expect(
    lost({
      'pay.trial.yaml': trial.replace(
        'expect: { status: 200 } }\nchecks',
        'as: cart, expect: { status: 200 } }\nchecks',
      ),
    }),
  ).toEqual([]);
});

test('requirements, trials, cases, checks, expectations, coverage', () => {
  expect(lost({}, ['A'])).toEqual(['lost-requirement: the requirement B existed at v1, and is gone']);
  expect(lost({ 'pay.trial.yaml': '' })).toEqual([
    'lost-coverage: A was covered at v1, by shop/pay, and no trial covers it any more',
    'lost-trial: the trial shop/pay existed at v1 (pay.trial.yaml), and is gone',
  ]);
  expect(lost({ 'pay.trial.yaml': trial.replace(', cash: {}', '') })).toEqual([
    'lost-trial: the case cash of shop/pay existed at v1, and is gone',
  ]);
  expect(lost({ 'pay.trial.yaml': trial.replace('paid:', 'payed:') })).toEqual([
    'lost-check: the check paid of shop/pay existed at v1, and is gone',
  ]);
  expect(
    lost({ 'pay.trial.yaml': trial.replace(', as: page, expect: { status: 200 }', ', as: page') }),
  ).toEqual(['lost-check: what the step page of shop/pay expects existed at v1, and is gone']);
  expect(
    lost({ 'pay.trial.yaml': trial.replace('shop/cart, expect: { status: 200 }', 'shop/cart') }),
  ).toEqual(['lost-check: what one step of shop/pay expected existed at v1, and is gone']);
  expect(lost({ 'pay.trial.yaml': trial.replace('[A, B]', '[B]') })).toEqual([
    'lost-coverage: A was covered at v1, by shop/pay, and no trial covers it any more',
  ]);
  expect(lost({ 'twice.flow.ts': flow.replace("check('once', 1, 1);", '') })).toEqual([
    'lost-check: the check once of shop/twice existed at v1, and is gone',
  ]);
});

test('a file that is not a trial is named, not skipped', () => {
  expect(
    suiteOutline(['a.trial.yaml', 'b.trial.yaml'], (file) => (file.startsWith('a') ? 'id: [' : 'title: x')),
  ).toEqual({
    trials: [],
    unreadable: ['a.trial.yaml', 'b.trial.yaml'],
  });
});
