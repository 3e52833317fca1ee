import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { journalVersion } from '../journal/event.ts';
import { createRedactor } from '../journal/redaction.ts';
import type { AttemptEvent, AttemptEventBody } from '../journal/trial-event.ts';
import { openTrialJournal, readTrialJournal } from '../journal/trial-journal.ts';
import { systemClock } from '../kernel/clock.ts';
import { judge } from './judge/judge-attempt.ts';
import type { QuarantineEntry } from './quarantine.ts';
import type { CheckRecord, TrialRecord } from './trial-record.ts';
import { excusedBy } from './under-quarantine.ts';

const steps = [{ name: 'sent', line: 2, driver: 'http' }];

const value = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom('a', 'b', '', null, true),
  fc.array(fc.record({ n: fc.integer({ min: 0, max: 2 }) }), { maxLength: 3 }),
  fc.string({ minLength: 3_000, maxLength: 6_000 }),
);
const pattern = fc.oneof(
  value,
  fc.constantFrom({ $any: [1, 'a'] }, { $length: 1 }, { $type: 'string' }, '${sent.n}', { $not: 2 }, []),
);
const mode = fc.constantFrom<CheckRecord['mode']>('quiet', 'within', 'throughout', 'never');

const check = fc.record({
  id: fc.constantFrom('one', 'two', 'three'),
  line: fc.constant(1),
  kind: fc.constantFrom('rows', 'exchange', 'calls'),
  source: fc.constant('rows a.b'),
  query: fc.constantFrom({ exchange: 'sent' }, { service: 'a', table: 'b' }),
  mode,
  withinMs: fc.constantFrom(10, 1_000),
  expect: pattern,
  absence: fc.boolean(),
});

const sample = fc.record({
  probe: fc.constantFrom('one', 'two', 'three'),
  value,
  unobservable: fc.boolean(),
});

interface Story {
  readonly checks: readonly CheckRecord[];
  readonly samples: ReadonlyArray<{
    readonly probe: string;
    readonly value: unknown;
    readonly unobservable: boolean;
  }>;
  readonly sent: unknown;
  readonly end: 'done' | 'timeout' | 'step-failed';
  readonly reached: boolean;
  /** What is written behind the samples. */
  readonly late: readonly AttemptEventBody[];
  readonly foreseen: readonly string[] | undefined;
}

const late: fc.Arbitrary<AttemptEventBody> = fc.constantFrom(
  { type: 'log.error', service: 'a', text: 'ERROR of a' },
  { type: 'log.undecided', service: 'a', lines: 1 },
  { type: 'node.exited', kind: 'service', name: 'a', code: 1, signal: null, expected: false },
  { type: 'peer.called', resource: 'p', caller: 'a', method: 'GET', path: '/', status: 200 },
  {
    type: 'peer.called',
    resource: 'p',
    caller: 'a',
    method: 'GET',
    path: '/',
    status: 500,
    fault: { kind: 'unscripted', what: 'nothing is scripted' },
  },
  {
    type: 'model.called',
    resource: 'm',
    caller: 'a',
    call: 1,
    mode: 'script',
    dialect: null,
    model: null,
    streamed: false,
    status: 200,
    usage: null,
    costUsd: null,
    fault: { kind: 'unfit-shape', what: 'it cannot be written so' },
    startedAt: 0,
    endedAt: 1,
  },
  { type: 'quiet', quiet: false, waitedMs: 10, busy: ['a -> b'] },
);

const story: fc.Arbitrary<Story> = fc.record({
  checks: fc.uniqueArray(check, { selector: ({ id }) => id, maxLength: 3 }),
  samples: fc.array(sample, { maxLength: 6 }),
  sent: fc.oneof(fc.constant({ n: 1 }), value),
  end: fc.constantFrom('done', 'done', 'done', 'timeout', 'step-failed'),
  reached: fc.boolean(),
  late: fc.array(late, { maxLength: 2 }),
  foreseen: fc.option(fc.subarray(['one', 'two', 'step sent', 'logs', 'timeout']), { nil: undefined }),
});

function bodiesOf({ checks, samples, sent, end, reached, late, foreseen }: Story): AttemptEventBody[] {
  const trial: TrialRecord = {
    id: 'a/b',
    file: 'a.trial.yaml',
    line: 1,
    kind: 'yaml',
    covers: [],
    tags: [],
    steps,
    checks,
    logs: { error: 'ERROR', allow: [] },
    ...(foreseen ? { expectedFailure: { because: 'known', checks: foreseen } } : {}),
  };
  return [
    { type: 'attempt.started', uid: 'trial-1', trial, scope: { trial: { id: 'a/b' } } },
    { type: 'step.started', step: 'sent', action: 'GET a/b' },
    { type: 'step.ended', step: 'sent', outcome: 'done', evidence: sent, sentBytes: 10 },
    ...samples.map(({ probe, value: seen, unobservable }, index): AttemptEventBody => {
      const times = { probe, from: index, to: index, samples: 1 };
      return unobservable
        ? { type: 'probe.blind', because: 'away', ...times }
        : { type: 'probe.sampled', value: seen, ...times };
    }),
    ...checks.map(
      ({ id }): AttemptEventBody => ({
        type: 'probe.ended',
        probe: id,
        end: reached ? 'reached' : 'deadline',
      }),
    ),
    ...late,
    { type: 'attempt.ended', end, durationMs: 5 },
  ];
}

function numbered(bodies: readonly AttemptEventBody[]): AttemptEvent[] {
  return bodies.map((body, index) => ({ seq: index + 1, at: index, ...body }));
}

test('what was written to disk is judged as what was seen', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'judge-'));
  const header = {
    journal: journalVersion as typeof journalVersion,
    run: 'r',
    trial: 'a/b',
    attempt: 1,
    environment: 'e',
    system: 's',
    seed: '1',
    tool: 't',
    startedAt: '',
  };
  try {
    await fc.assert(
      fc.asyncProperty(story, async (shown) => {
        const bodies = bodiesOf(shown);
        const writer = openTrialJournal(folder, header, systemClock, createRedactor({}));
        for (const body of bodies) writer.emit(body);
        writer.close();
        const { events } = await readTrialJournal(folder);
        const timeless = (list: readonly AttemptEvent[]) => list.map((event, at) => ({ ...event, at }));
        expect(judge(timeless(events))).toEqual(judge(timeless(numbered(bodies))));
      }),
      { numRuns: 300 },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a truncated journal is never a pass', () => {
  fc.assert(
    fc.property(story, fc.nat(), (shown, cut) => {
      const events = numbered(bodiesOf(shown));
      const torn = events.slice(0, cut % events.length);
      expect(judge(torn).verdict).not.toBe('passed');
    }),
    { numRuns: 2_000 },
  );
});

const entry = (name: string): QuarantineEntry => ({
  trial: 'a/b',
  check: name,
  owner: 'ada',
  reason: 'it races',
  until: '2999-01-01',
  line: 1,
});

test('no check and no trial gets better by a cut at any line, whatever is excused', () => {
  const excuses = fc.subarray(['one', 'two', 'three', 'step sent', 'logs', 'processes', 'peers', 'timeout']);
  fc.assert(
    fc.property(story, excuses, (shown, names) => {
      const events = numbered(bodiesOf(shown));
      const isGreen = (judged: ReturnType<typeof judge>): boolean =>
        ['passed', 'skipped', 'expected-failure'].includes(judged.verdict) ||
        excusedBy(names.map(entry), [judged]) !== undefined;
      const whole = judge(events);
      const held = new Set(whole.checks.flatMap(({ id, verdict }) => (verdict === 'passed' ? [id] : [])));
      for (const at of events.keys()) {
        const torn = judge(events.slice(0, at));
        const better = torn.checks.filter(({ id, verdict }) => verdict === 'passed' && !held.has(id));
        expect(better, `cut behind line ${at}`).toEqual([]);
        expect(isGreen(torn), `cut behind line ${at}`).toBe(false);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a stricter check never passes where a weaker one did not', () => {
  fc.assert(
    fc.property(story, pattern, (shown, more) => {
      const events = numbered(bodiesOf(shown));
      const before = judge(events);
      const stricter = shown.checks.map((one) => ({ ...one, expect: { $all: [one.expect, more] } }));
      // `never` inverts this: what must not match is matched by less.
      const comparable = stricter.filter((one) => one.mode !== 'never');
      for (const { id } of comparable) {
        const was = before.checks.find((one) => one.id === id);
        const is = judge(events, { steps, checks: stricter }).checks.find((one) => one.id === id)?.verdict;
        // An absence with `within` proves nothing; a stricter check may.
        if (is === 'passed' && !was?.explanation?.includes('at the first sample'))
          expect(was?.verdict).toBe('passed');
      }
    }),
    { numRuns: 1_000 },
  );
});

test('judging is deterministic', () => {
  fc.assert(
    fc.property(story, (shown) => {
      const events = numbered(bodiesOf(shown));
      expect(judge(events)).toEqual(judge(structuredClone(events)));
    }),
    { numRuns: 500 },
  );
});
