/** Which refused calls of a failed attempt are as they should be, so that a report does not mark them. */
import { expect, test } from 'vitest';
import {
  answered,
  attemptJournal,
  call,
  chain,
  check,
  type JournalParts,
  modelCalled,
  sampled,
  unanswered,
} from '../../../test/harness/attempt-journal.ts';
import type { AttemptEventBody } from '../../journal/trial-event.ts';
import { judge } from '../judge/judge-attempt.ts';
import { digestOf } from './reference/digest-of.ts';

/** It fails in every journal here, so that refusals are looked at. */
const fails = check({
  id: 'told',
  kind: 'exchange',
  query: { exchange: 'other' },
  expect: { json: 'never' },
});
const steps = (expected: unknown) => [
  {
    name: 'ask',
    line: 3,
    driver: 'http',
    to: 'agent',
    ...(expected === undefined ? {} : { expect: expected }),
  },
  { name: 'other', line: 4, driver: 'http', to: 'agent' },
];

/** How many calls of the second journal are expected refusals; `before` is that of a passing run. */
function expectedIn(events: readonly AttemptEventBody[], over: JournalParts = {}, before?: JournalParts) {
  const ended: AttemptEventBody = {
    type: 'step.ended',
    step: 'other',
    outcome: 'done',
    evidence: { status: 200, json: 'no' },
    sentBytes: 1,
  };
  const record = {
    steps: steps({ status: 200 }),
    ...over.record,
    checks: [fails, ...(over.record?.checks ?? [])],
  };
  const journal = (some: readonly AttemptEventBody[]) =>
    attemptJournal({ topology: chain, ...over, record, events: [...some, ended] });
  const reference = before && digestOf(journal(before.events ?? []));
  const judged = judge(journal(events), undefined, reference);
  expect(judged.verdict).toBe('failed');
  return judged.expectedRefusals?.length ?? 0;
}

const denied = (at = 50, over: object = {}) =>
  call('agent -> gateway', [at, at + 10], { response: answered(403, { error: 'not yours' }), ...over });
const fine = call('agent -> gateway', [50, 60]);

test('a refusal that passing runs had, too, is expected; another one, and one more, is not', () => {
  const before = { events: [denied()] };
  expect(expectedIn([denied()], {}, before)).toBe(1);
  expect(expectedIn([denied()])).toBe(0);
  expect(expectedIn([denied(), denied(80)], {}, before)).toBe(1);
  expect(expectedIn([denied(50, { response: answered(503) })], {}, before)).toBe(0);
  expect(expectedIn([denied()], {}, { events: [fine] })).toBe(0);
});

test('what the trial expects of its own step is expected, if it held', () => {
  const asked = call('outside -> agent', [10, 20], { response: answered(409) });
  const withStep = (expected: unknown, status = 409): number =>
    expectedIn([asked], { evidence: { status }, record: { steps: steps(expected) } });
  expect(withStep({ status: 409 })).toBe(1);
  expect(withStep({ status: 200 })).toBe(0);
  expect(withStep(undefined)).toBe(0);
  const late = call('outside -> agent', [450, 460], { response: answered(409) });
  expect(expectedIn([late], { evidence: { status: 409 }, record: { steps: steps({ status: 409 }) } })).toBe(
    0,
  );
});

test('a check on calls that held expects those that it has looked at, if it reads how they ended', () => {
  const seen = [{ from: 'agent', to: 'gateway', crossing: 1, status: 403 }];
  const withCheck = (expected: unknown): number => {
    const query = { from: 'agent', to: 'gateway' };
    const looks = check({
      id: 'looks',
      kind: 'calls',
      source: 'calls agent -> gateway',
      query,
      expect: expected,
    });
    return expectedIn([denied(), sampled('looks', seen)], { record: { checks: [looks] } });
  };
  expect(withCheck([{ status: 403 }])).toBe(1);
  expect(withCheck({ $length: 1 })).toBe(0);
  expect(withCheck([{ status: 200 }])).toBe(0);
});

test('what the trial itself says as the peer that it plays, or as a disturbance, is expected', () => {
  const busy = call('gateway -> model', [50, 60], { response: answered(429) });
  const played = modelCalled({ startedAt: 51, endedAt: 59, status: 429 });
  expect(expectedIn([busy, played])).toBe(1);
  const fault = { kind: 'unscripted', what: 'no line' } as const;
  expect(expectedIn([busy, { ...played, fault }])).toBe(0);
  const felt: AttemptEventBody = {
    type: 'disturbance.felt',
    from: 'agent',
    to: 'gateway',
    disturbance: 'disturb[0]',
    crossing: 51,
    connection: 51,
    what: 'in words',
  };
  const by = (fault: string): number => {
    const disturb = { name: 'disturb[0]', edge: 'agent -> gateway', fault, what: fault };
    return expectedIn([denied(), felt], { record: { disturbs: [disturb] } });
  };
  expect(by('answer')).toBe(1);
  expect(by('delay')).toBe(0);
});

test('no answer is not a refusal, however often it was so', () => {
  const cut = unanswered(fine, 'cut');
  expect(expectedIn([cut], {}, { events: [cut] })).toBe(0);
});
