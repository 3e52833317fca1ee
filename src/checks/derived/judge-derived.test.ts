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
  unanswered,
} from '../../../test/harness/attempt-journal.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import type { AttemptEventBody } from '../../journal/trial-event.ts';
import type {
  AgreeQuery,
  BlameQuery,
  CorrelatePart,
  CorrelateQuery,
  OrderQuery,
} from '../derived-queries.ts';
import { judge } from '../judge/judge-attempt.ts';
import { judgeTwins } from '../judge-twins.ts';
import type { CheckRecord } from '../trial-record.ts';

function look(
  kind: string,
  query: AgreeQuery | OrderQuery | CorrelateQuery | BlameQuery,
  events: readonly AttemptEventBody[],
  { record, ...over }: JournalParts = {},
) {
  const one = check({ id: 'it', kind, source: kind, query: query as unknown as CheckRecord['query'] });
  const checks = [...(record?.checks ?? []), one];
  const judged = judge(attemptJournal({ topology: chain, events, ...over, record: { ...record, checks } }));
  return judged.checks.find(({ id }) => id === 'it');
}

const said = (...calls: readonly { name: string; arguments?: object; argumentsText?: string }[]) =>
  turn({ calls: calls.map((one, index) => ({ id: `c${index}`, ...one })), stop: 'tool-calls' });
const log = { name: 'symptom_log', arguments: { name: 'headache', severity: 7 } };
const rpc = (at: number, params: unknown) =>
  call('agent -> files', [at, at + 5], { protocol: 'json-rpc', method: 'tools/call', params });

describe('agree', () => {
  const query: AgreeQuery = { said: { from: 'model', to: 'gateway' }, received: { tool: 'symptom_log' } };
  const spoke = (evidence = said(log)) => call('gateway -> model', [10, 20], { turn: evidence });

  test.each<[string, readonly AttemptEventBody[], string, RegExp]>([
    ['said once, received once', [spoke(), rpc(30, log)], 'passed', /1 said, 1 received/],
    [
      'said twice, received in another order',
      [
        spoke(said(log, { ...log, arguments: { n: 1 } })),
        rpc(30, { ...log, arguments: { n: 1 } }),
        rpc(40, log),
      ],
      'passed',
      /2 said/,
    ],
    [
      'said, and not received',
      [spoke()],
      'failed',
      /symptom_log .* was said and not received \(call 1 of gateway -> model\)/,
    ],
    [
      'received twice',
      [spoke(), rpc(30, log), rpc(40, log)],
      'failed',
      /was received and not said \(call 2 of agent -> files\)/,
    ],
    [
      'received with other arguments',
      [spoke(), rpc(30, { ...log, arguments: { severity: 5 } })],
      'failed',
      /said and not received/,
    ],
    [
      'received, though the turn was cut off',
      [spoke({ ...said(log), complete: false }), rpc(30, log)],
      'unknown',
      /^/,
    ],
    [
      'another tool is another matter',
      [spoke(), rpc(30, log), rpc(40, { name: 'other', arguments: {} })],
      'passed',
      /^/,
    ],
    ['never said', [rpc(30, log)], 'unknown', /^/],
    [
      'passed on by a party in the middle',
      [
        spoke(),
        rpc(31, log),
        call('gateway -> agent', [30, 40], { protocol: 'json-rpc', method: 'tools/call', params: log }),
      ],
      'passed',
      /1 said, 1 received/,
    ],
  ])('%s', (_, events, verdict, observed) => {
    expect(look('agree', query, events)).toMatchObject({
      verdict,
      observed: expect.stringMatching(observed),
    });
  });

  test('either end of the edge may be named first', () => {
    const turned: AgreeQuery = { ...query, said: { from: 'gateway', to: 'model' } };
    expect(look('agree', turned, [spoke(), rpc(30, log)])?.verdict).toBe('passed');
  });

  test('a tool behind plain requests', () => {
    const received = { tool: 'symptom_log', from: 'agent', to: 'files', where: { path: '/log' } };
    const http: AgreeQuery = { ...query, received };
    const sent = (json: object) => call('agent -> files', [30, 40], { path: '/log', request: asked(json) });
    expect(look('agree', http, [spoke(), sent({ ...log.arguments, trace: 1 })])?.verdict).toBe('passed');
    expect(look('agree', http, [spoke(), sent({ name: 'headache' })])?.verdict).toBe('failed');
    const unnamed: AgreeQuery = { ...query, received: { from: 'agent', to: 'files' } };
    expect(look('agree', unnamed, [spoke(), sent(log.arguments)])?.verdict).toBe('passed');
    expect(look('agree', unnamed, [spoke(), sent({ other: 1 })])?.verdict).toBe('failed');
  });

  test('what changed must hold too', () => {
    const stored = check({ id: 'stored', expect: [{ n: 1 }] });
    const with_ = (seen: AttemptEventBody) =>
      look('agree', { ...query, changed: 'stored' }, [spoke(), rpc(30, log), seen], {
        record: { checks: [stored] },
      });
    expect(with_(sampled('stored', [{ n: 1 }]))?.verdict).toBe('passed');
    expect(with_(sampled('stored', [{ n: 2 }]))).toMatchObject({
      verdict: 'failed',
      observed: expect.stringContaining('`stored` failed'),
    });
    expect(
      with_({ type: 'probe.blind', probe: 'stored', because: 'away', from: 0, to: 0, samples: 1 })?.verdict,
    ).toBe('unknown');
  });

  test('while something is in progress, more may follow', () => {
    const busy: AttemptEventBody = { type: 'quiet', quiet: false, waitedMs: 9, busy: ['a -> b'] };
    expect(look('agree', query, [spoke(), rpc(30, log), busy])?.verdict).toBe('unknown');
  });
});

describe('order', () => {
  const model = { from: 'gateway', to: 'model' };
  const files = { from: 'agent', to: 'files' };
  const events = [
    call('outside -> agent', [10, 390]),
    call('gateway -> model', [100, 200]),
    call('agent -> files', [210, 220]),
    unanswered(call('agent -> files', [300, 400]), 'in-flight'),
  ];

  test.each<[string, OrderQuery['moments'], string, RegExp]>([
    [
      'one after the other',
      [model, files, { exchange: 'ask' }],
      'passed',
      /call 1 of gateway -> model, then/,
    ],
    ['the end of the first', [{ ...model, phase: 'end' }, files], 'passed', /^/],
    ['the wrong way round', [{ exchange: 'ask' }, model], 'failed', /came 290 ms before the end of ask/],
    ['one that never occurred', [{ from: 'gateway', to: 'bank' }], 'failed', /never occurred/],
    [
      'one that is not over',
      [
        { ...files, phase: 'end' },
        { ...files, phase: 'end' },
      ],
      'failed',
      /^/,
    ],
    ['one of several', [model, { ...files, where: { crossing: 2 } }], 'passed', /call 2/],
    ['none before', [{ ...model, never: true }, files], 'failed', /call 1 of gateway -> model was there/],
    ['none after', [files, { ...model, never: true }], 'passed', /^/],
    ['none between', [{ exchange: 'ask', phase: 'begin' }, { ...files, never: true }, model], 'passed', /^/],
  ])('%s', (_, moments, verdict, observed) => {
    expect(look('order', { moments }, events)).toMatchObject({
      verdict,
      observed: expect.stringMatching(observed),
    });
  });

  test('an absence is proven by a trial in which it happened', () => {
    const moments = [{ ...model, never: true as const }, { exchange: 'ask' }];
    const one = check({
      kind: 'order',
      source: 'order gateway -> model',
      query: { moments },
      absence: true,
      provenBy: 'twin',
    });
    const judged = judge(attemptJournal({ events, record: { checks: [] } }));
    expect(judgeTwins([one], [{ id: 'twin', verdict: 'passed', saw: judged.saw }])).toEqual([]);
    expect(judgeTwins([one], [{ id: 'twin', verdict: 'passed', saw: [] }])).toMatchObject([
      { kind: 'twin-saw-nothing' },
    ]);
  });
});

describe('correlate', () => {
  const parts: CorrelateQuery['parts'] = [
    { kind: 'exchange', query: { exchange: 'ask' } },
    { kind: 'rows', query: { service: 'agent', table: 'notes' }, column: 'session' },
    { kind: 'logs', query: { service: 'agent' } },
    { kind: 'calls', query: { from: 'agent', to: 'gateway' } },
  ];
  const query: CorrelateQuery = { id: '${ask.session}', parts };
  const seen = (session: string, line: string, header: string): readonly AttemptEventBody[] => [
    sampled('it/2', [{ id: 1, session }]),
    sampled('it/3', [line]),
    call('agent -> gateway', [50, 60], { request: { headers: { 'x-session': header }, bytes: 0 } }),
  ];
  const with_ = (events: readonly AttemptEventBody[], session: unknown = 's-1') =>
    look('correlate', query, events, { evidence: { status: 200, session } });

  test.each<[string, readonly AttemptEventBody[], string, string]>([
    ['everywhere', seen('s-1', 'INFO session=s-1 open', 's-1'), 'passed', 'it is in all of them'],
    [
      'not in the rows',
      seen('s-2', 'INFO s-1', 's-1'),
      'failed',
      'it is not in rows agent.notes, column session',
    ],
    ['only as a part of another', seen('s-1', 'INFO s-12', 's-1'), 'failed', 'it is not in logs agent'],
    ['not on the edge', seen('s-1', 's-1', 'none'), 'failed', 'it is not in calls agent -> gateway'],
    ['without a sample', seen('s-1', 's-1', 's-1').slice(1), 'unknown', 'nothing'],
  ])('%s', (_, events, verdict, observed) => {
    expect(with_(events)).toMatchObject({ verdict, observed });
  });

  test('an invalid id is reported', () => {
    expect(with_(seen('s-1', 's-1', 's-1'), {})?.explanation).toContain('is not an id');
    expect(with_(seen('7001', 'n 7001', '7001'), 7001)?.verdict).toBe('passed');
    expect(with_(seen('7', 'n 7', '7'), 7)).toMatchObject({
      verdict: 'unknown',
      explanation: expect.stringContaining('so short'),
    });
  });

  test('what the trial sent itself does not count', () => {
    const own = { method: 'POST', json: { id: 's-1' } };
    const asked = (evidence: unknown, response: Partial<CallEvent> = {}) =>
      look(
        'correlate',
        {
          id: 's-1',
          parts: [parts[0] as CorrelatePart, { kind: 'calls', query: { from: 'outside', to: 'agent' } }],
        },
        [
          call('outside -> agent', [10, 20], {
            path: '/s-1',
            request: { headers: {}, bytes: 9, json: own.json },
            ...response,
          }),
        ],
        { evidence },
      );
    const response = { status: 200, headers: {}, bytes: 9, text: 'kept s-1' };
    for (const [dropped, kept] of [
      [
        { request: own, text: 'no id' },
        { request: own, text: 'kept s-1' },
      ],
      [{ answers: [{ request: own }] }, { answers: [{ request: own, json: { kept: 's-1' } }] }],
    ]) {
      expect(asked(dropped, { response })).toMatchObject({
        verdict: 'failed',
        observed: 'it is not in exchange ask',
      });
      expect(asked(kept)).toMatchObject({
        verdict: 'failed',
        observed: 'it is not in calls outside -> agent',
      });
      expect(asked(kept, { response })?.verdict).toBe('passed');
    }
  });

  test('a column is selected by its name', () => {
    expect(
      with_([...seen('s-1', 's-1', 's-1').slice(1), sampled('it/2', [{ id: 's-1', session: 'x' }])]),
    ).toMatchObject({
      verdict: 'failed',
    });
  });
});

describe('blame', () => {
  const felt: AttemptEventBody = {
    type: 'disturbance.felt',
    from: 'gateway',
    to: 'model',
    disturbance: 'disturb[0]',
    crossing: 101,
    connection: 1,
    what: 'cut by fin before event 2, after 212 bytes',
  };
  const cut = call('gateway -> model', [100, 200], { incomplete: 'cut' });
  const failing = call('gateway -> model', [100, 200], { response: answered(503) });
  const outer = call('agent -> gateway', [50, 300], { response: answered(502) });

  test.each<[string, BlameQuery, readonly AttemptEventBody[], string]>([
    [
      'a cut edge is blamed on its provider',
      { party: 'model', edge: 'gateway -> model', rule: 1 },
      [felt, cut],
      'passed',
    ],
    ['and on no other party', { party: 'gateway' }, [felt, cut], 'failed'],
    ['on its own edge', { party: 'model', edge: 'agent -> model' }, [felt, cut], 'failed'],
    ['a scripted failure', { party: 'model' }, [failing, outer], 'passed'],
    [
      'a gateway that fails of itself',
      { party: 'gateway' },
      [call('gateway -> model', [100, 200]), outer],
      'passed',
    ],
    ['nothing went wrong', { party: 'model' }, [call('gateway -> model', [100, 200])], 'failed'],
  ])('%s', (_, query, events, verdict) => {
    expect(look('blame', query, events)?.verdict).toBe(verdict);
  });
});

test('an attempt that ended early is undecided', () => {
  const one = look('order', { moments: [{ exchange: 'ask' }] }, [], { end: 'timeout' });
  expect(one).toMatchObject({
    verdict: 'unknown',
    explanation: 'the attempt ended before the check was sampled',
  });
});
