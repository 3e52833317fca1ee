import { expect, test } from 'vitest';
import type { CallEvent } from '../../journal/call-event.ts';
import { linesOfCalls } from './lines-of-calls.ts';
import type { RecordedAttempt, RecordedSystem } from './recorded-attempt.ts';
import { stablePattern } from './stable-pattern.ts';
import { trialOfAttempt } from './trial-of-attempt.ts';

const uuid = (digit: string): string =>
  `${digit.repeat(8)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(12)}`;

let clock = 0;
function call(edge: string, over: Partial<CallEvent>): CallEvent {
  const [from = '', to = ''] = edge.split(' -> ');
  clock += 20;
  return {
    type: 'call',
    from,
    to,
    crossing: 1,
    connection: 1,
    protocol: 'http',
    method: 'GET',
    path: '/',
    request: { headers: {}, bytes: 0 },
    response: { headers: {}, bytes: 0, status: 200 },
    startedAt: clock,
    endedAt: clock + 10,
    ...over,
  };
}

const json = (value: unknown): CallEvent['request'] => ({
  headers: { 'content-type': 'application/json' },
  json: value,
  bytes: 1,
});

const attempt = (...calls: CallEvent[]): RecordedAttempt => ({
  uid: 'trial-0123456789ab',
  calls,
  peerCalls: [],
  standing: [],
  otherSteps: [],
  disturbed: [],
});

const system: RecordedSystem = {
  name: 's',
  models: ['model'],
  peers: [{ name: 'bank', callbacks: {} }],
  receivers: ['traces'],
  secrets: ['PIN'],
  stdio: {},
};

const source = {
  trial: 'a/b[c]',
  run: 'r-1',
  tool: 'shakedown 1.2.3',
  startedAt: '2026-01-02',
  revision: 'abc',
};

test('a result that a later step uses becomes a reference, and secrets become variables', () => {
  const made = trialOfAttempt(
    [
      attempt(
        call('outside -> shop', {
          method: 'POST',
          path: '/orders?dry=1',
          request: {
            ...json({ key: 'trial-0123456789ab', pin: '‹secret:PIN›', note: 'cost ${x}' }),
            headers: { authorization: 'Bearer abc…', 'x-signature': 'f00', accept: '*/*' },
          },
          response: { ...json({ id: uuid('a'), number: 4711, took_ms: 3, ok: true }), status: 201 },
        }),
        call('outside -> shop', { path: `/orders/${uuid('a')}` }),
        call('outside -> traces', { path: '/v1/traces' }),
        call('outside -> tools', {
          protocol: 'json-rpc',
          method: 'initialize',
          path: '/mcp',
        }),
        call('outside -> tools', {
          protocol: 'json-rpc',
          method: 'tools/call',
          path: '/mcp',
          params: { name: 'look', arguments: { order: uuid('a') } },
          result: { content: [{ type: 'text', text: '{"state":"sent"}' }] },
        }),
        call('outside -> tools', { path: '/mcp', response: { headers: {}, bytes: 0, status: 405 } }),
      ),
    ],
    system,
    source,
  );
  expect(made?.text).toBe(`# 3 steps and what followed in a/b[c]
# recorded 2026-01-02 by shakedown 1.2.3, run r-1, at revision abc
# what was sent in the header authorization was not kept: set AUTHORIZATION before you run it
# the header x-signature was computed from this exact body: if the body changes, sign it in a flow
id: recorded/a/b-c
title: "What happened in a/b[c] happens again"
steps:
  - http: "POST shop/orders?dry=1"
    json: { key: "\${trial.uid}", pin: "\${env.PIN}", note: "cost $\${x}" }
    headers: { authorization: "\${env.AUTHORIZATION:-}", x-signature: f00 }
    as: call-1
    expect: { status: 201 }
  - { http: "GET shop/orders/\${call-1.json.id}", as: call-2, expect: { status: 200 } }
  - { mcp: tools, tool: look, args: { order: "\${call-1.json.id}" }, as: call-3, expect: { isError: false } }
checks:
  call-1-answered:
    title: what shop answers to POST /orders
    exchange: call-1
    expect: { json: { id: { $type: string }, number: 4711, took_ms: { $type: number }, ok: true } }
  call-3-answered:
    title: what tools answers to tools/call look
    exchange: call-3
    expect: { result: { state: sent } }
`);
});

test('a third party: ids that the consumer generated may be any, its own ids are matched', () => {
  const events = [{ event: 'a', data: { n: 1 } }, { data: 'two\nlines' }];
  const recording = linesOfCalls(
    attempt(
      call('shop -> bank', {
        method: 'POST',
        path: `/pay/${uuid('a')}?x=1`,
        request: json({ order: uuid('b'), amount: 7, password: 'hunter2', at: '2026-01-01' }),
        response: { ...json({ id: uuid('c'), for: uuid('b'), access_token: 'tok-1' }), status: 200 },
      }),
      call('shop -> bank', {
        path: `/pay/${uuid('c')}`,
        response: { headers: {}, bytes: 3, status: 404, text: 'no' },
      }),
      call('shop -> bank', {
        path: '/rates',
        response: { headers: { 'content-type': 'text/event-stream' }, bytes: 1, status: 200, events },
      }),
      call('shop -> bank', { path: '/slow', response: undefined as never, incomplete: 'in-flight' }),
      call('shop -> bank', { path: '/cut', incomplete: 'cut' }),
      call('shop -> bank', {
        method: 'POST',
        path: '/form',
        request: {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          text: 'a=1&token=x',
          bytes: 3,
        },
      }),
      call('shop -> bank', {
        method: 'PUT',
        path: '/said',
        request: { headers: {}, text: '{"count":1}', bytes: 7 },
      }),
      call('shop -> bank', { method: 'PUT', path: '/said', request: { headers: {}, text: '{n', bytes: 2 } }),
    ),
    'shop -> bank',
    system,
  );
  expect(recording?.script).toBe(`peers:
  bank:
    - on: "POST /pay/*"
      where: { query: { x: "1" }, json: { amount: 7 } }
      answer:
        status: 200
        json:
          id: ${uuid('c')}
          for: "\${request.json.order}"
          access_token: recorded-access_token
    - { on: GET /pay/${uuid('c')}, answer: { status: 404, text: "no" } }
    - on: GET /rates
      answer:
        status: 200
        headers: { content-type: text/event-stream }
        text: "event: a\\ndata: {\\"n\\":1}\\n\\ndata: two\\ndata: lines\\n\\n"
    - { on: GET /slow, answer: { instead: hang } }
    - { on: GET /cut, answer: { instead: close } }
    - { on: POST /form, where: { form: { a: "1" } }, answer: { status: 200 } }
    - { on: PUT /said, where: { json: { count: 1 } }, answer: { status: 200 } }
    - { on: PUT /said, where: { text: "{n" }, answer: { status: 200 } }`);
  expect(recording?.checks).toContain(
    'request: { json: { order: { $type: string }, amount: 7, at: { $type: string } } }',
  );
});

test.each<[string, (text: string) => object, boolean]>([
  ['chat', (content) => ({ messages: [{ role: 'user', content }] }), true],
  [
    'anthropic',
    (text) => ({
      messages: [
        { role: 'user', content: [{ type: 'text', text }] },
        { role: 'user', content: [{ type: 'tool_result' }] },
      ],
    }),
    true,
  ],
  ['responses', (input) => ({ input }), true],
  [
    'gemini',
    (text) => ({ contents: [{ parts: [{ text }] }, { role: 'model', parts: [{ text: 'Hm.' }] }] }),
    true,
  ],
  [
    'parts that a dialect joins',
    (text) => ({ input: [{ role: 'user', content: [{ text }, { text: 'b' }] }] }),
    false,
  ],
  ['the same text', () => ({ input: 'What?' }), false],
  ['a text that is another one each time', (text) => ({ input: `${text} ${uuid('b')}` }), false],
])(
  'lines of overlapping calls wait for their request, or a note says that none can: %s',
  (_, body, isTold) => {
    const said = (text: string, answer: string, startedAt: number): CallEvent =>
      call('agent -> model', {
        request: json(body(text)),
        turn: { dialect: 'chat', text: answer, calls: [], usage: null, stop: null, complete: true } as never,
        startedAt,
        endedAt: startedAt + 15,
      });
    const calls = [said('Capital of France?', 'Paris', 10), said('Capital of Italy?', 'Rome', 20)];
    const recording = linesOfCalls(attempt(...calls), 'agent -> model', system);
    const lines = isTold
      ? `
    - { when: { text: "Capital of France?" }, says: Paris }
    - { when: { text: "Capital of Italy?" }, says: Rome }`
      : '\n    - { says: Paris }\n    - { says: Rome }';
    const script = `model:\n  agent:${lines}`;
    const notes = isTold ? [] : [expect.stringMatching(/^agent asks model several times at once/)];
    expect(recording).toMatchObject({ script, notes });
    const made = trialOfAttempt([attempt(call('outside -> agent', {}), ...calls)], system, source);
    expect(made?.text).toContain(script);
    expect(made?.notes).toEqual(notes);
    const [first, second] = [said('One', 'Paris', 10), said('Two', 'Rome', 30)];
    const inTurn = linesOfCalls(attempt(first, second), 'agent -> model', system);
    expect(inTurn).toMatchObject({
      script: 'model:\n  agent:\n    - { says: Paris }\n    - { says: Rome }',
      notes: [],
    });
  },
);

test('a model: what it said, how it refused, and nothing incomplete', () => {
  const turn = { dialect: 'openai-chat', streamed: false, text: '', calls: [], stop: 'end', usage: null };
  const said = (over: object): Partial<CallEvent> => ({
    turn: { ...turn, complete: true, faults: [], oddities: [], ...over },
  });
  const recording = linesOfCalls(
    attempt(
      call('agent -> model', said({ text: 'Hm.', stop: 'length', reasoning: 'why' })),
      call('agent -> model', said({ text: 'Half', complete: false })),
      call('agent -> model', said({})),
      call('agent -> model', {
        ...said({ complete: false }),
        response: { ...json({ error: 'slow' }), status: 429, headers: { 'retry-after': '2' } },
      }),
      call('agent -> model', { path: '/v1/embeddings', response: { ...json({}), status: 503 } }),
      call('agent -> model', {
        path: '/v1beta/models/m:countTokens?a=b',
        response: { ...json({}), status: 500 },
      }),
    ),
    'agent -> model',
    system,
  );
  expect(recording?.script).toBe(`model:
  agent:
    - { says: Hm., reasons: why, stop: length }
    - { says: "" }
    - { error: { status: 429, retryAfter: "2", json: { error: slow } } }
    - { when: { asks: embedding }, error: { status: 503, json: {} } }
    - { when: { asks: count }, error: { status: 500, json: {} } }`);
  expect(recording?.notes).toEqual([expect.stringMatching(/^agent did not get, or did not read, all of an/)]);
});

test('what differs between attempts, or would in the next one, is not expected', () => {
  const at = (value: unknown, ...others: unknown[]): unknown => stablePattern([value, ...others]);
  expect(at({ a: 1, b: 'x', c: [1, 2], d: true }, { a: 2, b: 'x', c: [1, 3], d: false })).toEqual({
    a: { $type: 'number' },
    b: 'x',
    c: [1, { $type: 'number' }],
    d: { $type: 'boolean' },
  });
  expect(at({ a: 1 }, { b: 1 })).toEqual({});
  expect(at([1], [1, 2])).toEqual({ $type: 'array' });
  expect(at(null)).toBe(null);
  expect(at(null, 'x')).toBeUndefined();
  expect(at('x'.repeat(400))).toEqual({ $startsWith: 'x'.repeat(75) });
  expect(at({ $ref: '#/a' })).toEqual({ $eq: { $ref: '#/a' } });
  expect(at({ $ref: '#/a' }, { $ref: '#/b' })).toEqual({ $type: 'object' });
  expect(at({ created: 1_767_323_045, port: 8080, uptime: 3, n: 3 })).toEqual({
    created: { $type: 'number' },
    port: { $type: 'number' },
    uptime: { $type: 'number' },
    n: 3,
  });
});

test('a signature between the parties is neither compared nor recomputed, with a note', () => {
  const signed = {
    ...json({ a: 1 }),
    headers: { 'x-hub-signature-256': 'sha256=0a', 'content-type': 'application/json' },
  };
  const recorded = trialOfAttempt(
    [attempt(call('outside -> shop', {}), call('shop -> bank', { method: 'POST', request: signed }))],
    system,
    source,
  );
  expect(recorded?.notes).toContain(
    'headers between the parties are not compared, and signatures are not made again: x-hub-signature-256 (shop -> bank)',
  );
});
