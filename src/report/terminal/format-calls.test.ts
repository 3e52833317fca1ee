import { expect, test } from 'vitest';
import type { CallEvent } from '../../journal/call-event.ts';
import type { ConnectionEnd } from '../../journal/event.ts';
import type { AttemptEvent, AttemptEventBody } from '../../journal/trial-event.ts';
import { formatCalls } from './format-calls.ts';
import { printLines } from './line.ts';

const format = (bodies: readonly AttemptEventBody[]): string => {
  const events = bodies.map((body, index): AttemptEvent => ({ seq: index + 1, at: index, ...body }));
  return printLines(formatCalls(events, 100), {}).join('\n');
};

const answered = (status: number, json?: unknown): NonNullable<CallEvent['response']> => ({
  headers: {},
  bytes: 9,
  status,
  json,
});

function call(over: Partial<CallEvent> = {}): CallEvent {
  return {
    type: 'call',
    from: 'switchboard',
    to: 'health',
    crossing: 1,
    connection: 1,
    protocol: 'json-rpc',
    method: 'tools/call',
    path: '/mcp',
    params: { name: 'handle_message' },
    request: { headers: {}, bytes: 120 },
    response: { headers: {}, bytes: 80, status: 200 },
    startedAt: 10,
    endedAt: 22,
    ...over,
  };
}

function closed(from: string, to: string, end: ConnectionEnd): AttemptEventBody {
  return {
    type: 'connection.closed',
    from,
    to,
    connection: 1,
    end,
    bytesSent: 1,
    bytesReceived: 0,
    openMs: 1,
  };
}

test('all failures are shown in order of time, equal ones are counted, the rest is cut', () => {
  const fine = Array.from({ length: 20 }, (_, index) => call({ startedAt: index, endedAt: 2 * index }));
  const ask = { from: 'agent', to: 'gateway', protocol: 'http', method: 'POST' } as const;
  const events = [
    ...fine,
    call({ to: 'finance', startedAt: 2, error: { code: -32_602, message: 'unknown tool: bill_add' } }),
    call({ to: 'home', result: { isError: true, content: [{ type: 'text', text: 'the lamp is broken' }] } }),
    call({ ...ask, path: `/ask?q=${'x'.repeat(90)}`, response: answered(502, { outcome: 'failed' }) }),
    call({ to: 'model', incomplete: 'cut' }),
    call({ to: 'model', incomplete: 'cut' }),
    closed('switchboard', 'model', 'cut'),
    closed('agent', 'files', 'reset-by-provider'),
    closed('agent', 'files', 'closed'),
  ];
  expect(format(events)).toMatchInlineSnapshot(`
    "    ✗ switchboard -> finance  tools/call handle_message             200      20 ms
            error -32602: unknown tool: bill_add
        ✗ switchboard -> home     tools/call handle_message             200      12 ms
            the tool failed: "the lamp is broken"
        ✗ agent -> gateway        POST /ask?q=xxxxxxxxxxxxxxxxxxxxxxx…  502      12 ms
            { outcome: "failed" }
        ✗ switchboard -> model    tools/call handle_message             cut off  2 times
          switchboard -> health   tools/call handle_message             200      13 ms
          switchboard -> health   tools/call handle_message             200      14 ms
          switchboard -> health   tools/call handle_message             200      15 ms
          switchboard -> health   tools/call handle_message             200      16 ms
          switchboard -> health   tools/call handle_message             200      17 ms
          switchboard -> health   tools/call handle_message             200      18 ms
          switchboard -> health   tools/call handle_message             200      19 ms
        ✗ agent -> files          connection reset by the provider
          … and 13 more, all in the journal"
  `);
});

test('without failures, the last calls are shown in order', () => {
  const events = ['a', 'b', 'c'].map((name) => call({ params: { name } }));
  expect(format(events)).toMatchInlineSnapshot(`
    "      switchboard -> health  tools/call a  200  12 ms
          switchboard -> health  tools/call b  200  12 ms
          switchboard -> health  tools/call c  200  12 ms"
  `);
});

const { response: _, ...silent } = call();
const listened = call({
  from: 'outside',
  protocol: 'http',
  method: 'GET',
  response: { ...answered(200), headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
  incomplete: 'cut',
});
const unfinished = { by: 'provider', rule: 'http.no-last-chunk', what: 'the connection ended' } as const;

test.each<[string, CallEvent, RegExp]>([
  ['no answer at all', silent, /✗ .* no answer/],
  ['no answer on the stream', call({ incomplete: 'unanswered', response: answered(202) }), /✗ .* no answer/],
  ['no answer yet in a stream that has begun', call({ incomplete: 'in-flight' }), /✗ .* no answer/],
  [
    'an answer in a stream that goes on',
    call({ incomplete: 'in-flight', result: {} }),
    /^ {6}switchboard .* 200/,
  ],
  ['no HTTP', { ...silent, incomplete: 'not-http' }, /✗ .* no HTTP/],
  ['a body that was not kept whole', call({ incomplete: 'too-large' }), /^ {6}switchboard .* 200/],
  ['a stream that the trial listened to', listened, /^ {6}outside .* 200/],
  ['one that the provider broke off', { ...listened, faults: [unfinished] }, /✗ .* cut off/],
  ['one that a service listened to', { ...listened, from: 'agent' }, /✗ .* cut off/],
  ['an error of no known form', call({ error: 'broken' }), /✗ .*\n {8}"broken"/],
])('%s', (_, one, shown) => {
  expect(format([one])).toMatch(shown);
});

const command = (statement: string, message: string): CallEvent => ({
  ...call({ to: 'queue', protocol: 'resp', method: statement.split(' ', 1)[0] ?? '', path: '', statement }),
  error: { message },
});

test('an error of Redis has no code, and what a handshake offered in vain is no failure', () => {
  const offers = [
    ...['client setinfo LIB-NAME redis-py', 'CLIENT MAINT_NOTIFICATIONS ON', 'CLIENT NO-EVICT on'],
    ...['CLIENT NO-TOUCH on', 'CLIENT TRACKING on'],
  ].map((statement) => command(statement, "ERR unknown subcommand 'x'"));
  const failed = [command('INCR k', 'ERR value is not an integer'), command('CLIENT KILL x', 'ERR No such')];
  const text = format([...offers, ...failed]);
  expect(text).toMatch(/✗ .* INCR k +error .*\n {8}error: ERR value is not an integer\n/);
  expect(text.match(/✗ .*/g)).toHaveLength(2);
  expect(text).toMatch(/^ {6}switchboard .* client setinfo .* error .*\n {8}error: ERR unknown/m);
});

const refused = answered(405, {
  jsonrpc: '2.0',
  error: { code: -32_000, message: 'Method not allowed' },
  id: null,
});
const ofMcp = { accept: 'text/event-stream', 'mcp-session-id': 's', 'mcp-protocol-version': '2025-11-25' };

test.each<[string, boolean, Partial<CallEvent>]>([
  ['the stream that a tool server need not have', false, { request: { headers: ofMcp, bytes: 0 } }],
  ['the end of its session', false, { method: 'DELETE', request: { headers: ofMcp, bytes: 0 } }],
  ['a call of a tool', true, { method: 'POST', request: { headers: ofMcp, bytes: 0 } }],
  ['a stream of something else', true, { request: { headers: { accept: 'text/event-stream' }, bytes: 0 } }],
  ['a stream that failed', true, { request: { headers: ofMcp, bytes: 0 }, response: answered(500) }],
])('%s, refused: an error is %s', (_, isError, over) => {
  const shown = format([call({ protocol: 'http', method: 'GET', response: refused, ...over })]);
  expect(shown).toMatch(isError ? /^ {4}✗ switchboard/ : /^ {6}switchboard/);
});

test('a call that was refused as it should be is no error, unless it broke a rule', () => {
  const [one, other] = [
    call({ response: answered(403) }),
    call({ response: answered(404), faults: [unfinished] }),
  ];
  const events = [one, other].map((body, index): AttemptEvent => ({ seq: index + 1, at: index, ...body }));
  const shown = printLines(formatCalls(events, 100, [1, 2]), {}).join('\n');
  expect(shown).toMatch(/^ {6}switchboard .* 403/m);
  expect(shown).toMatch(/^ {4}✗ switchboard .* 404/m);
});

test('more failures than there is room for are counted', () => {
  const events = Array.from({ length: 15 }, (_, index) =>
    call({ to: `butler-${index}`, response: answered(500) }),
  );
  expect(format(events).split('\n')).toHaveLength(13);
  expect(format(events)).toMatch(/ … and 3 more, all in the journal$/);
});

test('overlapping calls to a model are shown with their own lines', () => {
  const ask = { from: 'outside', to: 'model', protocol: 'http', method: 'POST', path: '/v1/chat' } as const;
  const played = (line: number, startedAt: number, endedAt: number): AttemptEventBody => ({
    type: 'model.called',
    resource: 'model',
    caller: 'outside',
    call: line,
    mode: 'script',
    dialect: 'openai-chat',
    model: 'm',
    streamed: true,
    status: 200,
    line,
    usage: null,
    costUsd: line,
    startedAt,
    endedAt,
  });
  const events = [
    played(2, 21, 24),
    call({ ...ask, crossing: 2, startedAt: 20, endedAt: 25 }),
    played(1, 11, 40),
    call({ ...ask, startedAt: 10, endedAt: 22, incomplete: 'cut' }),
  ];
  expect(format(events)).toMatch(/cut off[\s\S]*line 1: [\s\S]*line 2: /);
  const within = (line: number, id: string): AttemptEventBody =>
    ({ ...played(line, 22, 24), requestId: id }) as AttemptEventBody;
  const answeredBy = (id: string) => ({ ...answered(200), headers: { 'x-request-id': id } });
  const together = [
    within(1, 'req_a'),
    within(2, 'req_b'),
    call({ ...ask, crossing: 1, startedAt: 20, endedAt: 30, path: '/b', response: answeredBy('req_b') }),
    call({ ...ask, crossing: 2, startedAt: 21, endedAt: 30, path: '/a', response: answeredBy('req_a') }),
  ];
  expect(format(together)).toMatch(/\/b [\s\S]*line 2: [\s\S]*\/a [\s\S]*line 1: /);
});

test('a read that waits for what is to come has not failed', () => {
  const { response: _response, params: _params, ...asked } = call({ waits: true, incomplete: 'in-flight' });
  const shown = format([{ ...asked, protocol: 'resp', method: 'BLPOP', statement: 'BLPOP jobs 0' }]);
  expect(shown).toMatch(/^ {6}switchboard -> health {2}BLPOP jobs 0 {2}waiting/);
});
