import { expect, test } from 'vitest';
import {
  attemptJournal,
  check,
  type JournalParts,
  sampled,
} from '../../../../test/harness/attempt-journal.ts';
import type { AttemptEvent, AttemptEventBody } from '../../../journal/trial-event.ts';
import { judgeLiedAttempt } from './judge-lied-attempt.ts';
import type { LieKind } from './place-lie.ts';

const own = new Map([['outside -> agent', 1]]);
const inner = new Map([['agent -> gateway', 2]]);

function outcome(
  events: readonly AttemptEvent[],
  service: string,
  feltOn: ReadonlyMap<string, number>,
  lie: LieKind = 'dead',
): string {
  return judgeLiedAttempt(events, { service, lie }, feltOn).outcome;
}

/** The one step, `ask`, could not be done. */
function failed(evidence: unknown, over: JournalParts = {}): readonly AttemptEvent[] {
  return attemptJournal({ evidence, end: 'step-failed', ...over }).map((event) =>
    event.type === 'step.ended' ? { ...event, outcome: 'failed', because: 'it failed' } : event,
  );
}

const reset = { error: { kind: 'reset', message: 'the connection was reset' } };

test('it passed although it met the lie', () => {
  expect(outcome(attemptJournal({}), 'gateway', inner)).toBe('green');
  expect(outcome(attemptJournal({}), 'gateway', new Map())).toBe('not-met');
});

test('a check or a step that noticed is proof', () => {
  const red: AttemptEventBody[] = [sampled('it', []), { type: 'probe.ended', probe: 'it', end: 'quiet' }];
  const record = { checks: [check({ count: 1 })] };
  expect(outcome(attemptJournal({ record, events: red }), 'gateway', inner)).toBe('red');
  expect(outcome(failed({ status: 500 }), 'gateway', inner)).toBe('red');
  expect(outcome(failed(reset), 'agent', own, 'garbage')).toBe('red');
});

test('a verdict that is unknown shows nothing, and tells why', () => {
  // Nobody looked, so that nobody knows what the check would have seen.
  const events = attemptJournal({ record: { checks: [check({ count: 1 })] } });
  expect(judgeLiedAttempt(events, { service: 'gateway', lie: 'garbage' }, inner)).toEqual({
    outcome: 'undecided',
    because: '`it` is unknown: the attempt ended before anybody looked',
  });
  expect(outcome(events, 'gateway', new Map())).toBe('not-met');
});

test('a step that died of its own refused connection proves nothing', () => {
  expect(outcome(failed(reset), 'agent', own)).toBe('proves-nothing');
  expect(
    outcome(failed({ connected: true, received: [], closedBy: 'reset', bytesReceived: 0 }), 'agent', own),
  ).toBe('proves-nothing');
  expect(outcome(failed({ answers: [reset, { status: 200 }] }), 'agent', own)).toBe('proves-nothing');
  // The dead one is another, or the connection was not its own.
  expect(outcome(failed(reset), 'gateway', inner)).toBe('red');
  expect(outcome(failed(reset), 'agent', new Map([['gateway -> agent', 1]]))).toBe('red');
});

test('a program that noticed is proof, though it was refused itself', () => {
  const steps = [{ name: 'ask', line: 3, driver: 'command', expect: { exitCode: 0 } }];
  expect(outcome(failed({ exitCode: 1 }, { record: { steps } }), 'agent', own)).toBe('red');
});

test('a flow does not say to whom it speaks', () => {
  const record = { kind: 'flow', steps: [] } as const;
  expect(outcome(failed(reset, { record, end: 'flow-failed' }), 'agent', own)).toBe('proves-nothing');
});

test('what never came to an end that says something is undecided', () => {
  expect(outcome(attemptJournal({ end: 'environment-broken' }), 'gateway', inner)).toBe('undecided');
  expect(outcome(attemptJournal({ end: 'not-staged' }), 'gateway', inner)).toBe('undecided');
  expect(outcome([], 'gateway', inner)).toBe('undecided');
});
