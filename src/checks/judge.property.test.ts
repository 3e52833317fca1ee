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
import type { CheckRecord, TrialRecord } from './trial-record.ts';

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
}

const story: fc.Arbitrary<Story> = fc.record({
  checks: fc.uniqueArray(check, { selector: ({ id }) => id, maxLength: 3 }),
  samples: fc.array(sample, { maxLength: 6 }),
  sent: fc.oneof(fc.constant({ n: 1 }), value),
  end: fc.constantFrom('done', 'done', 'done', 'timeout', 'step-failed'),
  reached: fc.boolean(),
});

function bodiesOf({ checks, samples, sent, end, reached }: Story): AttemptEventBody[] {
  const trial: TrialRecord = {
    id: 'a/b',
    file: 'a.trial.yaml',
    line: 1,
    kind: 'yaml',
    covers: [],
    tags: [],
    steps: [{ name: 'sent', line: 2, driver: 'http' }],
    checks,
    logs: { error: 'ERROR', allow: [] },
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
        const is = judge(events, stricter).checks.find((one) => one.id === id)?.verdict;
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
