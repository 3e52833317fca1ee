import { expect, test } from 'vitest';
import {
  attemptJournal,
  check,
  type JournalParts,
  sampled,
} from '../../../../test/harness/attempt-journal.ts';
import type { MutantKind } from '../../../journal/mutant-kinds.ts';
import type { AttemptEvent, AttemptEventBody } from '../../../journal/trial-event.ts';
import { judgeMutatedAttempt } from './judge-mutated-attempt.ts';

const own = new Map([['outside -> agent', 1]]);
const inner = new Map([['agent -> gateway', 2]]);

function outcome(
  events: readonly AttemptEvent[],
  service: string,
  feltOn: ReadonlyMap<string, number>,
  mutant: MutantKind = 'dead',
): string {
  return judgeMutatedAttempt(events, { service, mutant }, feltOn).outcome;
}

/** The only step, `ask`, failed. */
function failed(evidence: unknown, over: JournalParts = {}): readonly AttemptEvent[] {
  return attemptJournal({ evidence, end: 'step-failed', ...over }).map((event) =>
    event.type === 'step.ended' ? { ...event, outcome: 'failed', because: 'it failed' } : event,
  );
}

const reset = { error: { kind: 'reset', message: 'the connection was reset' } };

test('it passed although it met the mutant', () => {
  expect(outcome(attemptJournal({}), 'gateway', inner)).toBe('survived');
  expect(outcome(attemptJournal({}), 'gateway', new Map())).toBe('not-met');
});

test('a check or a step that failed is proof', () => {
  const red: AttemptEventBody[] = [sampled('it', []), { type: 'probe.ended', probe: 'it', end: 'quiet' }];
  const record = { checks: [check({ count: 1 })] };
  expect(outcome(attemptJournal({ record, events: red }), 'gateway', inner)).toBe('killed');
  expect(outcome(failed({ status: 500 }), 'gateway', inner)).toBe('killed');
  expect(outcome(failed(reset), 'agent', own, 'garbage')).toBe('killed');
});

test('an unknown verdict shows nothing, and gives the reason', () => {
  // No sample was taken, so the check's result is unknown.
  const events = attemptJournal({ record: { checks: [check({ count: 1 })] } });
  expect(judgeMutatedAttempt(events, { service: 'gateway', mutant: 'garbage' }, inner)).toEqual({
    outcome: 'undecided',
    because: '`it` is unknown: the attempt ended before the check was sampled',
  });
  expect(outcome(events, 'gateway', new Map())).toBe('not-met');
});

test('a step whose own connection was refused proves nothing', () => {
  expect(outcome(failed(reset), 'agent', own)).toBe('proves-nothing');
  expect(
    outcome(failed({ connected: true, received: [], closedBy: 'reset', bytesReceived: 0 }), 'agent', own),
  ).toBe('proves-nothing');
  expect(outcome(failed({ answers: [reset, { status: 200 }] }), 'agent', own)).toBe('proves-nothing');
  const oddly = { error: { kind: 'protocol', message: 'no session' } };
  expect(outcome(failed(oddly), 'agent', own)).toBe('proves-nothing');
  expect(outcome(failed({ ...oddly, status: 502 }), 'agent', own)).toBe('killed');
  // Another service is dead, or the connection was not its own.
  expect(outcome(failed(reset), 'gateway', inner)).toBe('killed');
  expect(outcome(failed(reset), 'agent', new Map([['gateway -> agent', 1]]))).toBe('killed');
});

test('a program that failed is proof, although its own connection was refused', () => {
  const steps = [{ name: 'ask', line: 3, driver: 'command', expect: { exitCode: 0 } }];
  expect(outcome(failed({ exitCode: 1 }, { record: { steps } }), 'agent', own)).toBe('killed');
});

test('a flow does not record which service it calls', () => {
  const record = { kind: 'flow', steps: [] } as const;
  expect(outcome(failed(reset, { record, end: 'flow-failed' }), 'agent', own)).toBe('proves-nothing');
});

test('an attempt without a conclusive end is undecided', () => {
  expect(outcome(attemptJournal({ end: 'environment-broken' }), 'gateway', inner)).toBe('undecided');
  expect(outcome(attemptJournal({ end: 'not-staged' }), 'gateway', inner)).toBe('undecided');
  expect(outcome([], 'gateway', inner)).toBe('undecided');
});
