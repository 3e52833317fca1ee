/** What is noise between two runs, and what is not. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answered,
  asked,
  attemptJournal,
  call,
  chain,
  check,
  type JournalParts,
  sampled,
  turn,
} from '../../../../test/harness/attempt-journal.ts';
import type { CallEvent } from '../../../journal/call-event.ts';
import type { AttemptEventBody } from '../../../journal/trial-event.ts';
import { judge } from '../../judge/judge-attempt.ts';
import { compareValues } from './compare-values.ts';
import { digestOf } from './digest-of.ts';
import { mergeDigests } from './merge-digests.ts';
import { enoughRuns, type ReferenceDigest, referenceLimits, varies } from './reference-digest.ts';

const wanted = check({ id: 'told', kind: 'exchange', query: { exchange: 'ask' }, expect: { json: 'never' } });

function parts(events: readonly AttemptEventBody[], over: JournalParts = {}): JournalParts {
  const { record, ...rest } = over;
  return { topology: chain, events, ...rest, record: { checks: [wanted], ...record } };
}

function digest(shown: JournalParts): ReferenceDigest {
  return digestOf(attemptJournal(shown)) as ReferenceDigest;
}

/** The party blamed for the last run, with a reference merged repeatedly from all the others until there are enough. */
function blamed(...runs: readonly JournalParts[]) {
  const references = runs.slice(0, -1).map(digest);
  const enough = Array.from(
    { length: Math.max(enoughRuns, references.length) },
    (_, index) => index % references.length,
  );
  const reference = enough.reduce<ReferenceDigest | undefined>(
    (older, index) => mergeDigests(older, references[index] as ReferenceDigest),
    undefined,
  );
  return judge(attemptJournal(runs.at(-1) as JournalParts), undefined, reference).blame;
}

describe('two values', () => {
  test.each<[string, unknown, unknown, string]>([
    ['the same', { a: [1, 'x'] }, { a: [1, 'x'] }, 'same'],
    ['an id', 'session s-4f1c9a is open', 'session s-77b012 is open', 'same'],
    ['a name that was given', '‹id#1› and ‹id#2›', '‹id#4› and ‹id#3›', 'same'],
    ['a word', 'session s-4f1c9a is open', 'session s-77b012 is closed', 'differs'],
    ['a number', { severity: 7 }, { severity: 5 }, 'differs'],
    ['a number in a text', 'severity 7', 'severity 5', 'differs'],
    ['a moment', { created: 1_700_000_000 }, { created: 1_800_000_000 }, 'same'],
    ['a serial number', { id: 3, n: 1 }, { id: 9, n: 1 }, 'same'],
    [
      'a time and a span',
      'at 12:04:11 after 12 ms on 2026-03-01',
      'at 09:00 after 7.5 ms on 2026-03-02',
      'same',
    ],
    ['a list that is longer', [1], [1, 1], 'differs'],
    ['a key that is missing', { a: 1, b: 2 }, { a: 1 }, 'differs'],
    ['null and nothing', { a: null }, {}, 'differs'],
    ['what is known to vary', { a: varies }, { a: [1, 2] }, 'same'],
  ])('%s', (_, was, is, likeness) => {
    expect(compareValues(was, is).likeness).toBe(likeness);
  });
});

describe('between runs that pass', () => {
  const plain = parts([call('agent -> gateway', [50, 300]), call('outside -> agent', [10, 390])]);

  test('ids, order, handshakes and reads are noise', () => {
    const first = (id: string) =>
      parts([
        call('agent -> files', [20, 30], { protocol: 'json-rpc', method: 'initialize', params: { x: 1 } }),
        call('agent -> gateway', [50, 300], { request: asked({ id, n: 1 }) }),
        call('agent -> gateway', [60, 200], { request: asked({ id, n: 2 }) }),
        call('outside -> agent', [10, 390]),
      ]);
    const second = parts([
      call('agent -> gateway', [50, 300], { request: asked({ id: 's-77b012', n: 2 }) }),
      call('agent -> gateway', [60, 200], { request: asked({ id: 's-77b012', n: 1 }) }),
      call('gateway -> model', [70, 80], { method: 'GET', path: '/v1/models' }),
      call('outside -> agent', [10, 390]),
    ]);
    expect(blamed(first('s-4f1c9a'), first('s-90ab12'), second)).toMatchObject({
      party: null,
      because: expect.stringMatching(
        /^apart from calls that may also be absent, the traffic is the same as when the trial passed; only `.+`, which held then, observed /,
      ),
    });
  });

  test('with a call that came late, the traffic is not the same', () => {
    expect(blamed(plain, plain)?.because).toMatch(/^the traffic is the same as when the trial passed; /);
    const late = parts([
      call('agent -> gateway', [50, 300]),
      call('agent -> gateway', [9_000, 9_100]),
      call('outside -> agent', [10, 390]),
    ]);
    expect(blamed(plain, late)?.because).toMatch(
      /^the traffic differs from the passing run, perhaps by chance: call 2 of agent -> gateway repeats a call that was made once in/,
    );
  });

  test('what differs between two of them is not blamed later', () => {
    const counting = (count: number, text = 'hello') =>
      parts([
        call('agent -> gateway', [50, 300], { request: asked({ count, text }) }),
        call('outside -> agent', [10, 390]),
      ]);
    expect(blamed(counting(1), counting(2))).toMatchObject({ party: 'agent', rule: 4 });
    expect(blamed(counting(1), counting(2), counting(3))).toMatchObject({ party: null });
    expect(blamed(counting(1), counting(2), counting(3, 'bye'))).toMatchObject({ party: 'agent', rule: 4 });
  });

  test('a call that was missing in one of them may be missing', () => {
    const without = parts([call('outside -> agent', [10, 390])]);
    expect(blamed(plain, without)).toMatchObject({ party: 'agent', rule: 4 });
    expect(blamed(plain, without, plain, without)).toMatchObject({ party: null });
  });

  test('another trial, or another system around it, is not compared', () => {
    const other = parts([call('outside -> agent', [10, 390], { response: answered(200, 9) })]);
    expect(blamed(plain, other)).toMatchObject({ party: 'agent' });
    expect(blamed(plain, { ...other, record: { checks: [wanted], written: 'otherwise' } })).toMatchObject({
      party: null,
      because: expect.stringContaining('has changed since'),
    });
    const larger = { ...chain, edges: [...chain.edges, { from: 'files', to: 'bank' }] };
    expect(blamed(plain, { ...other, topology: larger })).toMatchObject({ party: null });
  });
});

describe('ids that are mixed up', () => {
  const two = (first: string, second: string, ...said: readonly [string, string]) =>
    parts([
      call('outside -> agent', [10, 390], {
        request: asked({ id: first }),
        response: answered(200, { for: said[0] }),
      }),
      call('outside -> agent', [20, 380], {
        request: asked({ id: second }),
        response: answered(200, { for: said[1] }),
      }),
    ]);

  test('are detected if passing runs linked them in one way', () => {
    const first = two('a-11111', 'b-22222', 'a-11111', 'b-22222');
    const again = two('a-33333', 'b-44444', 'a-33333', 'b-44444');
    const mixed = two('a-55555', 'b-66666', 'b-66666', 'a-55555');
    expect(blamed(first, again, mixed)).toMatchObject({
      party: 'agent',
      rule: 4,
      because: expect.stringMatching(/has .-\d+, where .-\d+ belongs/),
    });
    expect(blamed(first, mixed, mixed)).toMatchObject({ party: null });
  });
});

describe('while few runs have passed', () => {
  const kept = check({ id: 'kept', kind: 'files', query: { service: 'files', path: '*' }, expect: ['a'] });
  const run = (files: readonly string[], said = 'hello') =>
    parts(
      [
        call('agent -> files', [20, 30], { request: asked({ text: said }) }),
        call('outside -> agent', [10, 390]),
        sampled('kept', files),
      ],
      { record: { checks: [kept] } },
    );
  const once = (now: JournalParts) => judge(attemptJournal(now), undefined, digest(run(['a']))).blame;

  test('what the failed check itself shows is not an accident, what came before may be', () => {
    expect(once(run(['b']))).toMatchObject({ party: 'files', rule: 4 });
    expect(once(run(['b'], 'bye'))).toMatchObject({
      party: null,
      because: expect.stringContaining('may be noise'),
    });
    expect(blamed(run(['a']), run(['b'], 'bye'))).toMatchObject({ party: 'agent', rule: 4 });
  });
});

test('an output of a service is compared only if a check of it failed', () => {
  const kept = check({ id: 'kept', kind: 'files', query: { service: 'files', path: '*' }, expect: ['a'] });
  const run = (files: readonly string[], over: Partial<typeof kept> = {}) =>
    parts([call('outside -> agent', [10, 390]), sampled('kept', files)], {
      record: { checks: [{ ...kept, ...over }] },
    });
  expect(blamed(run(['a']), run(['b']))).toMatchObject({ party: 'files', rule: 4 });
  expect(blamed(run(['a']), run(['b'], { query: { service: 'files', path: '**' } }))).toMatchObject({
    party: null,
  });
});

test('changes are grouped by the service that made them', () => {
  const only = check({ id: 'only', kind: 'changes', query: { kinds: ['files'] }, expect: [], only: [] });
  const change = (service: string) => ({ kind: 'file', service, path: 'x', op: 'created' });
  const run = (...changes: readonly object[]) =>
    parts([call('outside -> agent', [10, 390]), sampled('only', changes)], { record: { checks: [only] } });
  expect(blamed(run(), run(change('files')))).toMatchObject({ party: 'files', rule: 4 });
  expect(blamed(run(), run(change('files'), change('agent')))).toMatchObject({ party: null });
});

test('a raw answer is an output of the party that was called', () => {
  const steps = [{ name: 'ask', line: 3, driver: 'tcp', to: 'agent', expect: { received: ['hi'] } }];
  const run = (received: readonly string[]) =>
    parts([], {
      record: { checks: [], steps, written: 'w' },
      evidence: { received, durationMs: received.length },
    });
  expect(blamed(run(['hi']), run(['ho']))).toMatchObject({ party: 'agent', rule: 4 });
});

describe('a digest', () => {
  test('is bounded', () => {
    const text = 'x'.repeat(100_000);
    const long = digest(parts([call('outside -> agent', [10, 390], { request: asked({ text }) })]));
    expect(JSON.stringify(long).length).toBeLessThan(3_000);
    const many = Array.from({ length: referenceLimits.calls + 1 }, (_, index) =>
      call('outside -> agent', [index, 999]),
    );
    expect(digest(parts(many))).toMatchObject({ cut: true, calls: [] });
    let deep: unknown = 1;
    for (let depth = 0; depth < 5_000; depth += 1) deep = [deep];
    expect(
      JSON.stringify(digest(parts([call('outside -> agent', [1, 2], { request: asked(deep) })]))).length,
    ).toBeLessThan(3_000);
  });

  test('of a long text says that it differs only where that is certain', () => {
    const run = (text: string) =>
      parts([call('outside -> agent', [10, 390], { response: answered(200, { text }) })]);
    const [begin, end] = ['word '.repeat(100), ' end'];
    expect(blamed(run(`${begin}a`), run(`other ${begin}`))).toMatchObject({ party: 'agent' });
    expect(blamed(run(begin), run(`${begin}${end}`))).toMatchObject({ party: null });
  });

  test('that is invalid counts as absent', () => {
    const shown = parts([call('outside -> agent', [10, 390])]);
    const one = digest(shown);
    for (const broken of [
      null,
      7,
      {},
      { ...one, held: undefined },
      { ...one, calls: [{}] },
      { ...one, version: 1 },
    ]) {
      expect(judge(attemptJournal(shown), undefined, broken as unknown as ReferenceDigest).blame?.rule).toBe(
        5,
      );
      expect(mergeDigests(broken as unknown as ReferenceDigest, one)).toEqual(one);
    }
  });

  const value = fc.json({ maxDepth: 3 }).map((text): unknown => JSON.parse(text.replaceAll('-0', '0')));
  const crossing = fc.record({
    edge: fc.constantFrom('outside -> agent', 'agent -> gateway', 'gateway -> model', 'agent -> files'),
    from: fc.nat(300),
    took: fc.nat(100),
    sent: value,
    got: value,
    status: fc.constantFrom(200, 404, 500),
    hasTurn: fc.boolean(),
  });
  const toCall = (one: typeof crossing extends fc.Arbitrary<infer Type> ? Type : never): CallEvent =>
    call(one.edge, [one.from, one.from + one.took], {
      request: asked(one.sent),
      response: answered(one.status, one.got),
      ...(one.hasTurn ? { turn: turn({ text: JSON.stringify(one.got) }) } : {}),
    });

  test('of a run finds nothing in the same run, and merging the same changes nothing but the number', () => {
    fc.assert(
      fc.property(fc.array(crossing, { maxLength: 8 }), (crossings) => {
        const shown = parts(crossings.map(toCall));
        const one = digest(shown);
        expect(mergeDigests(one, one)).toEqual({ ...one, runs: 2 });
        const { rule } = judge(attemptJournal(shown), undefined, one).blame ?? { rule: 0 };
        expect(rule).not.toBe(4);
      }),
      { numRuns: 300 },
    );
  });

  test('survives a round trip through JSON', () => {
    fc.assert(
      fc.property(fc.array(crossing, { maxLength: 8 }), (crossings) => {
        const one = digest(parts(crossings.map(toCall)));
        expect(JSON.parse(JSON.stringify(one))).toEqual(one);
      }),
      { numRuns: 200 },
    );
  });
});
