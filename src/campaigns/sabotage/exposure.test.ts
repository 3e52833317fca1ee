import { expect, test } from 'vitest';
import type { AttemptEvent, AttemptEventBody } from '../../journal/trial-event.ts';
import { collectRunFacts } from './run-facts.ts';
import { sabotageAttempt, subjectOf } from './sabotage-attempt.ts';

/** A passing attempt with one step for each answer, what it waited for, and what crossed the edges. */
function exposedIn(given: Parameters<typeof examined>[0]): readonly string[] {
  return examined(given).map(({ risk, source, path }) => `${risk} ${source} ${path}`);
}

function suggestedIn(given: Parameters<typeof examined>[0]): readonly string[] {
  return examined(given).map(({ check }) => check);
}

function examined({
  answers = {},
  checks = [],
  waited = {},
  calls = [],
  kind = 'yaml',
  action = 'http',
}: {
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly checks?: readonly object[];
  readonly waited?: Readonly<Record<string, unknown>>;
  readonly calls?: readonly object[];
  readonly kind?: 'yaml' | 'flow';
  readonly action?: string;
}) {
  const names = Object.keys(answers);
  const trial = {
    id: 'shop/order',
    file: 'order.trial.yaml',
    line: 1,
    kind,
    covers: [],
    tags: [],
    logs: { allow: [] },
    steps: kind === 'flow' ? [] : names.map((name) => ({ name, line: 2, driver: 'http', to: 'shop' })),
    checks: checks.map((check) => ({ line: 9, mode: 'quiet', absence: false, ...check })),
  };
  const bodies = [
    { type: 'attempt.started', uid: 'trial-1', trial, scope: { trial: { uid: 'trial-1' } } },
    ...names.map((step) => ({ type: 'step.started', step, action, sent: {} })),
    ...names.map((step) => ({
      type: 'step.ended',
      step,
      outcome: 'done',
      evidence: answers[step],
      sentBytes: 9,
    })),
    ...calls.map((call) => ({ type: 'call', crossing: 1, connection: 1, startedAt: 1, endedAt: 2, ...call })),
    ...Object.entries(waited).flatMap(([probe, value]) => [
      { type: 'probe.sampled', probe, value, from: 1, to: 2, samples: 1 },
      { type: 'probe.ended', probe, end: 'reached' },
    ]),
    { type: 'attempt.ended', end: 'done', durationMs: 5 },
  ] as readonly AttemptEventBody[];
  const subject = subjectOf(
    bodies.map((body, index): AttemptEvent => ({ ...body, seq: index + 1, at: index })),
  );
  if (!subject) throw new Error('the attempt has not begun');
  return sabotageAttempt(subject, collectRunFacts([subject])).exposures;
}

test('a number that counts the list beside it ranks like the list', () => {
  const answers = { asked: { json: { count: 2, items: ['a', 'b'], balance: 7 } } };
  const exposed = exposedIn({ answers });
  expect(exposed).toContain('count exchange asked $.json.count');
  expect(exposed).toContain('amount exchange asked $.json.balance');
});

test('the HTTP status that carries answers of a tool is not an exposure, nor is that of each answer of a burst', () => {
  const answer = { isError: false, status: 200, result: { state: 'paid' } };
  const exposed = exposedIn({ answers: { one: answer, many: { answers: [answer, answer] } } });
  expect(exposed.filter((place) => place.endsWith('.status'))).toEqual([]);
  expect(exposed).toContain('outcome exchange many $.answers[0].isError');
});

test('a long text under the name of an outcome is content, that of an error is not', () => {
  const json = { result: 'x'.repeat(60), error: 'y'.repeat(60), state: 'paid' };
  const exposed = exposedIn({ answers: { asked: { json } } });
  expect(exposed).toContain('content exchange asked $.json.result');
  expect(exposed).toContain('outcome exchange asked $.json.error');
  expect(exposed).toContain('outcome exchange asked $.json.state');
});

test('neither the path under which a file was looked for nor the number of a row is an exposure', () => {
  const files = { kind: 'files', source: 'files shop orders.json', query: { service: 'shop' }, count: 1 };
  const rows = { kind: 'rows', source: 'rows shop.orders', query: { table: 'orders' }, count: 1 };
  const exposed = exposedIn({
    checks: [
      { id: 'kept', ...files },
      { id: 'stored', ...rows },
    ],
    waited: { kept: [{ path: 'orders.json', text: 'tea' }], stored: [{ id: 7, item: 'tea' }] },
  });
  expect(exposed).toEqual(['stored files shop orders.json $[0].text', 'stored rows shop.orders $[0].item']);
});

test('an id that is new in each answer ranks behind one that identifies something', () => {
  const json = { request_id: 'req_0b4951ab8f8741a9', session: 's-7' };
  const exposed = exposedIn({ answers: { asked: { json } } });
  expect(exposed).toEqual([
    'identity exchange asked $.json.session',
    'detail exchange asked $.json.request_id',
  ]);
});

const post = { protocol: 'http', method: 'POST', request: { headers: {}, bytes: 0 } };

test('what the trial itself requested, and the stream behind a turn, are not exposures of a call', () => {
  const request = { headers: {}, bytes: 0, json: { question: 'Who is there?' } };
  const response = { status: 200, events: [{ data: { said: 'Me.' } }] };
  const call = {
    ...post,
    from: 'outside',
    to: 'shop',
    path: '/ask',
    request,
    response,
    turn: { text: 'Me.' },
  };
  const check = { id: 'asked', kind: 'calls', source: 'calls outside -> shop', query: {}, count: 1 };
  expect(exposedIn({ checks: [check], waited: { asked: [call] } })).toEqual([
    'content calls outside -> shop $[0].turn.text',
  ]);
});

test('a call that a step waited for is read, and a path is shown without ids that are new in each answer', () => {
  const order = { ...post, from: 'shop', to: 'bank', path: '/accounts/0b4951ab8f87/holds?fast=1' };
  const shown = { ...post, from: 'shop', to: 'mail', path: '/letters/17' };
  const calls = [order, shown];
  expect(exposedIn({ calls })).toEqual([
    'call calls shop -> bank POST /accounts/*/holds',
    'call calls shop -> mail POST /letters/*',
  ]);
  expect(exposedIn({ calls, waited: { 'when #2': [order] } })).toEqual([
    'call calls shop -> mail POST /letters/*',
  ]);
});

test('what a correlation id passes through is read', () => {
  const message = { protocol: 'json-rpc', path: '/mcp', from: 'shop', to: 'bank', request: post.request };
  const params = { name: 'hold', arguments: { order: 'order-4711' } };
  const call = { ...message, method: 'tools/call', params, result: { isError: false } };
  const seen = {
    id: 'made',
    kind: 'calls',
    source: 'calls shop -> bank',
    query: { from: 'shop', to: 'bank' },
    count: 1,
  };
  const place = 'content calls shop -> bank $[0].params.arguments.order';
  const world = { calls: [call], waited: { made: [call] } };
  expect(exposedIn({ ...world, checks: [seen] })).toContain(place);
  const correlated = {
    id: 'same',
    kind: 'correlate',
    source: 'correlate',
    query: { id: 'order-4711', parts: [{ kind: 'calls', query: { from: 'shop', to: 'bank' } }] },
  };
  expect(exposedIn({ ...world, checks: [seen, correlated] })).not.toContain(place);
});

test('how many answers a burst has is ours, and so is what waiting gives in a flow', () => {
  const answers = { rush: { answers: [{ status: 201, json: { fee: 7 } }] } };
  const exposed = exposedIn({ answers });
  expect(exposed.some((place) => place.endsWith('$.answers[0].json.fee'))).toBe(true);
  expect(exposed.filter((place) => place.endsWith('$.answers'))).toEqual([]);
  const flow = { kind: 'flow', answers: { waited: { quiet: true, busy: [] } } } as const;
  expect(exposedIn({ ...flow, action: 'quiet' })).toEqual([]);
});

test('each suggested check has a name of its own', () => {
  const answers = { asked: { status: 200, json: { left: { fee: 7 }, right: { fee: 8 } } } };
  const names = suggestedIn({ answers }).flatMap((check) => /^ {2}([\w-]+):$/m.exec(check)?.[1] ?? []);
  expect(names).toEqual(expect.arrayContaining(['asked-fee', 'asked-fee-2']));
  expect(new Set(names).size).toBe(names.length);
});
