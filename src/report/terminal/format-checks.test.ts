import { expect, test } from 'vitest';
import type { CheckVerdict } from '../../checks/verdict.ts';
import type { AttemptEvent, AttemptEventBody } from '../../journal/trial-event.ts';
import { formatChecks } from './format-checks.ts';
import { printLines } from './line.ts';

const format = (checks: readonly CheckVerdict[], bodies: readonly AttemptEventBody[] = []): string => {
  const events = bodies.map((body, index): AttemptEvent => ({ seq: index + 1, at: index, ...body }));
  return printLines(formatChecks(checks, events, 100), {}).join('\n');
};

function failed(id: string, over: Partial<CheckVerdict> = {}): CheckVerdict {
  return { id, line: 20, verdict: 'failed', expected: '"failed"', observed: '"ok"', evidence: [1], ...over };
}

const place = (path: string): string => `expected  "failed"\nobserved  "ok"\nat        ${path}`;

function sampled(value: unknown, from: number, samples: number): AttemptEventBody {
  return { type: 'probe.sampled', probe: 'told', value, from, to: from + samples * 20, samples };
}

function answer(evidence: unknown): AttemptEventBody {
  return { type: 'step.ended', step: 'answer', outcome: 'done', sentBytes: 12, evidence };
}

test('several places: the first few, in the answer the first', () => {
  const explanation = ['$.json.outcome', '$.json.cause', '$.status', '$.headers', '$.x']
    .map(place)
    .join('\n\n');
  const evidence = { status: 200, headers: {}, json: { text: 'word '.repeat(90), outcome: 'ok' } };
  const mismatches = [{ path: '$.json.outcome', expected: '"failed"', observed: '"ok"' }];
  const title = 'the user is told of the failure';
  const check = failed('user-told-once', { title, explanation, mismatches });
  expect(format([check], [answer(evidence)])).toMatchInlineSnapshot(`
    "    ✗ user-told-once (line 20): the user is told of the failure
            expected  "failed"
            observed  "ok"
            at        $.json.outcome

            expected  "failed"
            observed  "ok"
            at        $.json.cause

            expected  "failed"
            observed  "ok"
            at        $.status
            … and 2 more places, all in verdict.json
            the answer:
              {
                status: 200
                headers: {}
                json: {
                  text: "word word word word word word word word word word word word word word word wor…
            >     outcome: "ok"
                }
              }"
  `);
});

test('a value that is already shown is not repeated, but its time is', () => {
  const check = failed('told', { expected: 'length 1', observed: '[]', evidence: [2] });
  const events = [sampled(['early'], 10, 1), sampled([], 40, 7), sampled(['late'], 200, 1)];
  expect(format([check], events)).toMatchInlineSnapshot(`
    "    ✗ told (line 20)
            expected  length 1
            observed  []
            seen from 40 ms to 180 ms, in 7 samples
            before that, until 30 ms: ["early"]"
  `);
});

test('what must never be seen shows the value of that moment', () => {
  const check = failed('told', {
    expected: 'never [{ status: "lost" }]',
    observed: '[{ id: 7, status: "lost…',
    explanation: 'seen at 40 ms',
    evidence: [2],
  });
  const lost = Array.from({ length: 12 }, (_, id) => ({
    id,
    status: 'lost',
    owner: 'somebody with a long name',
  }));
  expect(
    format([check], [sampled([], 10, 1), sampled(lost, 40, 1), sampled([], 90, 3)]),
  ).toMatchInlineSnapshot(`
    "    ✗ told (line 20)
            expected  never [{ status: "lost" }]
            observed  [{ id: 7, status: "lost…
            the value seen (at 40 ms):
              [
                { id: 0, status: "lost", owner: "somebody with a long name" }
                { id: 1, status: "lost", owner: "somebody with a long name" }
                { id: 2, status: "lost", owner: "somebody with a long name" }
                { id: 3, status: "lost", owner: "somebody with a long name" }
                { id: 4, status: "lost", owner: "somebody with a long name" }
                { id: 5, status: "lost", owner: "somebody with a long name" }
                { id: 6, status: "lost", owner: "somebody with a long name" }
                { id: 7, status: "lost", owner: "somebody with a long name" }
                … 4 more
              ]
            before that, until 30 ms: []"
  `);
});

test('a golden output is shown by its difference alone', () => {
  const trial = { steps: [], checks: [{ id: 'told', golden: { file: 'golden/told.json' } }] };
  const explanation =
    '    "outcome": "failed",\n-   "text": "Voilà."\n+   "text": "Voila."\nis the new output correct? …';
  const check = failed('told', {
    expected: 'the content of golden/told.json',
    observed: 'something else',
    explanation,
    evidence: [2],
  });
  const started: AttemptEventBody = { type: 'attempt.started', uid: 'u', trial, scope: {} };
  expect(format([check], [started, sampled({ text: 'Voila.' }, 5, 1)])).toMatchInlineSnapshot(`
    "    ✗ told (line 20)
            expected  the content of golden/told.json
            observed  something else
                "outcome": "failed",
            -   "text": "Voilà."
            +   "text": "Voila."
            is the new output correct? …
            seen at 5 ms"
  `);
});

test('unknown checks are shown once for each reason, those that held by name', () => {
  const because = 'the attempt ended before the check was sampled';
  const checks = [
    failed('a', { verdict: 'unknown', explanation: because }),
    failed('b', { verdict: 'unknown', explanation: because }),
    failed('c', { verdict: 'unknown', explanation: 'the database is away' }),
    failed('d', { verdict: 'passed' }),
    failed('step first', { verdict: 'passed' }),
    failed('processes', { verdict: 'passed' }),
  ];
  expect(format(checks)).toMatchInlineSnapshot(`
    "    ? a, b: unknown, the attempt ended before the check was sampled
        ? c: unknown, the database is away
        ✓ held: d"
  `);
});

test('excess failures are counted', () => {
  const checks = Array.from({ length: 14 }, (_, index) => failed(`check-${index}`, { evidence: [] }));
  expect(format(checks)).toContain('✗ check-9 ');
  expect(format(checks)).toMatch(/ … and 4 more, all in verdict.json$/);
});

test('the root of a value is not worth a line, and a difference is bounded', () => {
  const explanation = `${place('$')}\n${'a line of the difference\n'.repeat(90)}`;
  const text = format([failed('told', { explanation, evidence: [] })]);
  expect(text).not.toContain('at        $');
  expect(text.split('\n')).toHaveLength(42);
  expect(text).toMatch(/… the rest is in verdict.json$/);
});

test('several attempts show how many held, and the difference once', () => {
  const explanation = `held in 3 of 5 attempts, 5 needed\n${place('$.json.outcome')}`;
  expect(format([failed('told', { explanation, evidence: [] })]).split('\n')).toEqual([
    '    ✗ told (line 20)',
    '        held in 3 of 5 attempts, 5 needed',
    '        expected  "failed"',
    '        observed  "ok"',
    '        at        $.json.outcome',
  ]);
});
