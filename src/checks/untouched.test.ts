/** Trials that prove nothing because they never reached the system, or saw nothing. */
import { expect, test } from 'vitest';
import type { AttemptEvent, AttemptEventBody } from '../journal/trial-event.ts';
import { viewAttempt } from './attempt-view.ts';
import { judge } from './judge/judge-attempt.ts';
import { isUntouched } from './untouched.ts';

function attempt(
  driver: string,
  sent: object,
  more: readonly object[] = [],
  checks: readonly object[] = [],
): AttemptEvent[] {
  const trial = {
    id: 'a/b',
    file: 'a.trial.yaml',
    line: 1,
    kind: 'yaml',
    covers: [],
    tags: [],
    steps: [{ name: 'sent', line: 2, driver }],
    checks,
    logs: { error: 'ERROR', allow: [] },
  };
  const topology = { parties: [], edges: [{ from: 'outside', to: 'a', seen: 'calls' }], relays: [] };
  const bodies = [
    { type: 'attempt.started', uid: 'trial-1', trial, scope: { trial: { uid: 'trial-1' } }, topology },
    { type: 'step.started', step: 'sent', action: driver, sent },
    { type: 'step.ended', step: 'sent', outcome: 'done', evidence: { exitCode: 0 }, sentBytes: 5 },
    ...more,
    { type: 'attempt.ended', end: 'done', because: 'it ended', durationMs: 5 },
  ] as readonly AttemptEventBody[];
  return bodies.map((body, index) => ({ ...body, seq: index + 1, at: index }));
}

function isAlone(events: AttemptEvent[]): boolean {
  const view = viewAttempt(events);
  return view !== undefined && isUntouched(view);
}

test.each([[['echo', 'hi']], ['echo hi | cat'], [['/bin/date']]])(
  '%j has nothing to do with the system',
  (command) => {
    expect(isAlone(attempt('command', { command }))).toBe(true);
  },
);

test.each([
  [['node', 'cli.js']],
  [['./cli', 'list']],
  ['curl -s http://127.0.0.1:8080/'],
  [['psql', 'postgres://x']],
  [['deskctl', 'status']],
  ['date; deskctl status'],
  ['echo "$(deskctl status)"'],
  [['env', 'LEVEL=1', 'deskctl', 'status']],
  [['python3', '-m', 'desk', 'list']],
  [['node', 'cli']],
  [['sh', 'run']],
  [['cat', 'report.csv']],
  ['test -f done.flag'],
])('%j may have', (command) => {
  expect(isAlone(attempt('command', { command }))).toBe(false);
});

test('a call that came through a tap shows that it was touched', () => {
  const call = {
    type: 'call',
    from: 'outside',
    to: 'a',
    crossing: 1,
    connection: 1,
    protocol: 'http',
    method: 'GET',
    path: '/',
    request: { headers: {}, bytes: 0 },
    startedAt: 1,
    endedAt: 2,
  };
  expect(isAlone(attempt('command', { command: ['mytool'] }, [call]))).toBe(false);
  expect(isAlone(attempt('http', { http: 'GET a/' }))).toBe(false);
});

test.each([
  [{ expect: { $length: { $lte: 3 } } }, [{ a: 1 }], []],
  [{ expect: { $length: { $lte: 3 } } }, [], ['absence-without-twin']],
  [{ expect: { $each: { a: 1 } } }, [{ a: 1 }], []],
  [{ expect: { $some: { a: 2 } }, mode: 'never' }, [{ a: 1 }], ['absence-without-twin']],
])('an absence that was shown something itself needs no twin: %j of %j', (parts, shown, kinds) => {
  const base = { id: 'it', line: 3, kind: 'rows', source: 'rows a.b', query: { service: 'a', table: 'b' } };
  const few = { ...base, mode: 'quiet', absence: true, ...parts };
  const sampled = { type: 'probe.sampled', probe: 'it', value: shown, from: 0, to: 0, samples: 1 };
  const { faults } = judge(attempt('http', { http: 'GET a/' }, [sampled], [few]));
  expect(faults.map(({ kind }) => kind)).toEqual(kinds);
});
