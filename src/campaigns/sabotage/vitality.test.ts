/** Which checks of one small attempt can fail, rule by rule. */
import { expect, test } from 'vitest';
import type { AttemptEvent, AttemptEventBody } from '../../journal/trial-event.ts';
import { collectRunFacts } from './run-facts.ts';
import { sabotageAttempt, subjectOf } from './sabotage-attempt.ts';

interface Given {
  readonly answer?: unknown;
  readonly sent?: object;
  readonly driver?: string;
  readonly kind?: 'exchange' | 'calls' | 'process' | 'changes' | 'value';
  /** What an observer saw, where it is not the answer. */
  readonly seen?: unknown;
  readonly sources?: string;
}

/** The one check of an attempt with one step. */
function judged(
  expected: unknown,
  { answer = {}, sent, driver = 'http', kind = 'exchange', ...more }: Given,
) {
  const { seen, sources = '' } = more;
  const queries = {
    exchange: { exchange: 'asked' },
    calls: { from: 'a', to: 'b' },
    process: { service: 'a' },
    changes: { kinds: ['rows'] },
    value: { value: seen },
  };
  const check = {
    id: 'it',
    line: 9,
    mode: 'quiet',
    absence: false,
    kind,
    source: `${kind} a`,
    expect: expected,
  };
  const trial = {
    ...{ id: 'shop/order', file: 'order.trial.yaml', line: 1, kind: 'yaml', covers: [], tags: [] },
    logs: { allow: [] },
    steps: [{ name: 'asked', line: 2, driver, to: 'shop' }],
    checks: [{ ...check, query: queries[kind] }],
  };
  const bodies = [
    { type: 'attempt.started', uid: 't', trial, scope: { trial: { uid: 't' } } },
    { type: 'step.started', step: 'asked', action: driver, sent: sent ?? { http: 'POST shop/orders' } },
    { type: 'step.ended', step: 'asked', outcome: 'done', evidence: answer, sentBytes: 9 },
    ...(seen === undefined || kind === 'value'
      ? []
      : [{ type: 'probe.sampled', probe: 'it', value: seen, from: 1, to: 2, samples: 1 }]),
    { type: 'attempt.ended', end: 'done', durationMs: 5 },
  ] as unknown as readonly AttemptEventBody[];
  const subject = subjectOf(
    bodies.map((body, index): AttemptEvent => ({ ...body, seq: index + 1, at: index })),
  );
  if (!subject) throw new Error('the attempt has not begun');
  const { checks } = sabotageAttempt(subject, collectRunFacts([subject], [], sources));
  return checks.find(({ id }) => id === 'it');
}

test('a field that a system repeats counts in an answer of its own, not in a refusal or a mere copy', () => {
  const sent = { http: 'POST shop/orders', json: { plate: 'AB-123' } };
  const vital = (answer: object) => judged({ json: { plate: 'AB-123' } }, { sent, answer })?.vital;
  expect(vital({ status: 201, json: { plate: 'AB-123', fee: 40 } })).toBe(true);
  expect(vital({ status: 409, json: { plate: 'AB-123', reason: 'taken' } })).toBe(false);
  expect(vital({ status: 200, json: { plate: 'AB-123' } })).toBe(false);
});

test('that an empty list has no such element is nothing, except in a list of problems', () => {
  const none = { $not: { $some: { code: 'closed' } } };
  const sources = "'closed'";
  const full = { status: 200, json: { items: [{ code: 'open' }], errors: [] } };
  expect(judged({ json: { items: none } }, { answer: full, sources })?.vital).toBe(true);
  const empty = { status: 200, json: { items: [], code: 'open' } };
  expect(judged({ json: { items: none } }, { answer: empty, sources })).toMatchObject({
    vital: false,
    kind: 'nothing-there',
  });
  expect(judged({ json: { errors: { $not: { $some: { code: 'fatal' } } } } }, { answer: full })?.vital).toBe(
    true,
  );
});

test('a word for trouble is denied in vain where the code has the other words, and is named', () => {
  const answer = { status: 200, json: { state: 'open' } };
  const denied = { $not: { json: { state: 'REFUSED' } } };
  const why = judged(denied, { answer, sources: "state = 'open'" })?.why;
  expect(why).toMatch(/^it looks at `json.state` for "?REFUSED"?, which was never seen/);
  expect(judged(denied, { answer })?.vital).toBe(true);
  expect(judged(denied, { answer, sources: "'open' 'REFUSED'" })?.vital).toBe(true);
  expect(judged({ json: { state: { $ne: 'admin' } } }, { answer, sources: "'open'" })?.vital).toBe(true);
});

test('what we measure has bounds that no system crosses', () => {
  const calls = [{ from: 'a', to: 'b', method: 'GET', path: '/', startedAt: 5, endedAt: 6 }];
  const since = { $each: { startedAt: { $gte: 0 } } };
  expect(judged(since, { kind: 'calls', seen: calls })?.vital).toBe(false);
  const process = { running: true, rssGrowth: 5_000_000 };
  const grown = (most: number) => judged({ rssGrowth: { $lte: most } }, { kind: 'process', seen: process });
  expect([grown(1e12)?.vital, grown(6_000_000)?.vital]).toEqual([false, true]);
});

test('a process that runs needs memory, and a request has one of the usual verbs', () => {
  const memory = (rss: object) =>
    judged({ rss }, { kind: 'process', seen: { running: true, rss: 5_000_000 } });
  expect([memory({ $gt: 0 })?.vital, memory({ $lt: 6_000_000 })?.vital]).toEqual([false, true]);
  const calls = [{ from: 'a', to: 'b', method: 'PUT', path: '/', startedAt: 5, endedAt: 6 }];
  const verb = (...some: string[]) =>
    judged({ $each: { method: { $any: some } } }, { kind: 'calls', seen: calls })?.vital;
  expect(verb('GET', 'POST', 'PUT', 'PATCH', 'DELETE')).toBe(false);
  expect(verb('GET', 'PUT')).toBe(true);
});

test('where a step has an error, no check is reached, unless the step expects one', () => {
  const answer = { status: 200, json: {} };
  const vital = (driver: string) => judged({ error: { $absent: true } }, { answer, driver })?.vital;
  expect([vital('http'), vital('tcp')]).toEqual([false, true]);
});

test('of dates, only others within a century are neither garbled nor out of proportion', () => {
  const answer = { status: 200, json: { at: '2026-08-02T10:00:00Z' } };
  const vital = (at: object) => judged({ json: { at } }, { answer })?.vital;
  expect(vital({ $lt: '2999-01-01T00:00:00Z' })).toBe(false);
  expect(vital({ $lt: '2090-01-01T00:00:00Z' })).toBe(true);
  expect(vital({ $gt: '2001-01-01' })).toBe(true);
  expect(vital({ $regex: '^20', $lt: '2999-01-01' })).toBe(true);
});

test('a signal is not that of the shell, which goes on', () => {
  const answer = { exitCode: 0, signal: null, stdout: 'x' };
  const vital = (command: string) =>
    judged({ signal: null }, { driver: 'command', sent: { command }, answer })?.vital;
  expect([vital('node a.mjs || true'), vital('node a.mjs')]).toEqual([false, true]);
});

test('an operation that there is not cannot be denied', () => {
  const seen = [{ kind: 'row', service: 'a', table: 't', op: 'inserted', row: { id: 1 } }];
  const vital = (op: string) => judged({ $not: { $some: { op } } }, { kind: 'changes', seen })?.vital;
  expect([vital('removed'), vital('deleted')]).toEqual([false, true]);
});

test('a value that code has computed is not judged where that code did not run again', () => {
  expect(judged('ok', { kind: 'value', seen: 'ok' })?.vital).toBe(null);
});
