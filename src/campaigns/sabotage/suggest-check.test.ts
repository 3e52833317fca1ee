/** What is suggested loads, holds, turns red for the mutant, and is not suggested again. */
import { expect, test } from 'vitest';
import type { AttemptEvent, AttemptEventBody } from '../../journal/trial-event.ts';
import { collectRunFacts } from './run-facts.ts';
import { sabotageAttempt, subjectOf } from './sabotage-attempt.ts';

interface Shown {
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly checks?: readonly object[];
  readonly seen?: Readonly<Record<string, unknown>>;
  readonly kind?: 'yaml' | 'flow';
}

function subject({ answers = {}, checks = [], seen = {}, kind = 'yaml' }: Shown) {
  const names = Object.keys(answers);
  const trial = {
    id: 'shop/order',
    file: 'order.trial.yaml',
    line: 1,
    kind,
    covers: [],
    tags: [],
    logs: { allow: [] },
    steps: names.map((name) => ({ name, line: 2, driver: 'http', to: 'shop' })),
    checks: checks.map((check) => ({ line: 9, mode: 'quiet', absence: false, ...check })),
  };
  const bodies = [
    { type: 'attempt.started', uid: 'trial-1', trial, scope: { trial: { uid: 'trial-1' } } },
    ...names.map((step) => ({
      type: 'step.ended',
      step,
      outcome: 'done',
      evidence: answers[step],
      sentBytes: 9,
    })),
    ...Object.entries(seen).flatMap(([probe, value]) => [
      { type: 'probe.sampled', probe, value, from: 1, to: 2, samples: 1 },
      { type: 'probe.ended', probe, end: 'quiet' },
    ]),
    { type: 'attempt.ended', end: 'done', durationMs: 5 },
  ] as readonly AttemptEventBody[];
  const made = subjectOf(bodies.map((body, index): AttemptEvent => ({ ...body, seq: index + 1, at: index })));
  if (!made) throw new Error('the attempt has not begun');
  return made;
}

function suggested(shown: Shown, other?: Shown): Readonly<Record<string, string>> {
  const made = subject(shown);
  const { exposures } = sabotageAttempt(
    made,
    collectRunFacts([made]),
    undefined,
    other && subject(other).view,
  );
  return Object.fromEntries(exposures.map(({ path, check }) => [path, check]));
}

const order = (id: string, total: number) => ({
  answers: { placed: { status: 201, json: { id, total, lines: [{ price: 4 }] } } },
});

test('the answer of a step', () => {
  expect(suggested(order('o-1', 8))['$.json.total']).toBe(
    '  placed-total:\n    exchange: placed\n    expect: { json: { total: 8 } }',
  );
});

test('of answers to what was sent at once, none has a place of its own', () => {
  const answers = [102_000, 101_000, 103_000].map((limit) => ({ status: 200, json: { limit } }));
  const checks = Object.values(suggested({ answers: { topped: { answers } } }));
  expect(checks.some((check) => check.includes('answers: { $some:'))).toBe(true);
  expect(checks.filter((check) => /answers: \[/.test(check))).toEqual([]);
});

test('an element of a list is asked for at its place', () => {
  expect(suggested(order('o-1', 8))['$.json.lines[0].price']).toContain(
    'expect: { json: { lines: [{ price: 4 }] } }',
  );
});

test('what was another value in an earlier run is not asked for', () => {
  const found = suggested(order('o-1', 8), order('o-1', 9));
  expect(found['$.json.total']).toBe('');
  expect(found['$.json.lines[0].price']).not.toBe('');
});

test('the condition of the check that looked there is kept, and values of the attempt are references', () => {
  const stored = {
    id: 'stored',
    kind: 'rows',
    source: 'rows shop.orders',
    query: { service: 'shop', table: 'orders', where: { customer: '${trial.uid}' } },
    expect: [{ total: 8 }],
  };
  const rows = [{ customer: 'trial-1', owner: 'of trial-1', total: 8, state: 'open' }];
  const found = suggested({ checks: [stored], seen: { stored: rows } });
  expect(found['$[0].state']).toBe(
    '  shop-orders-state:\n    rows: shop.orders\n    where: { customer: "${trial.uid}" }\n    expect: [{ state: "open" }]',
  );
  expect(found['$[0].owner']).toContain('expect: [{ owner: "of ${trial.uid}" }]');
});

test('a glob with braces is written as it was', () => {
  const written = {
    id: 'written',
    kind: 'files',
    source: 'files ./out {a,b}.json',
    query: { folder: './out', path: '{a,b}.json', as: 'json' },
    expect: [{ json: { total: 8 } }],
  };
  const files = [{ path: 'a.json', json: { total: 8, owner: 'ada' } }];
  expect(suggested({ checks: [written], seen: { written: files } })['$[0].json.owner']).toContain(
    'path: "{a,b}.json"',
  );
});

test('an id that an earlier step was answered is a reference', () => {
  const id = '0a1b2c3d-0000-4000-8000-123456789abc';
  const answers = { placed: { status: 201, json: { id } }, read: { status: 200, json: { order: id } } };
  expect(suggested({ answers })['$.json.order']).toContain(
    'expect: { json: { order: "${placed.json.id}" } }',
  );
});

test('a step without a name, and a flow', () => {
  expect(suggested({ answers: { '#1': { status: 200, json: { total: 8 } } } })['$.json.total']).toBe(
    '    expect: { json: { total: 8 } } # at step 1, or name it: as: …',
  );
  const { answers } = order('o-1', 8);
  expect(suggested({ answers, kind: 'flow' })['$.json.total']).toBe(
    '    expect: { json: { total: 8 } }, // in the options of step placed',
  );
});
