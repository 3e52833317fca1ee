import { describe, expect, test } from 'vitest';
import { createSseParser } from '../sse/sse-parser.ts';
import type { FoldedTurn, Turn } from '../turn/turn.ts';
import { anthropicDialect as dialect } from './anthropic-dialect.ts';

/** As the provider's own pages show it: thinking, text, a call, and a ping between them. */
const recorded = `event: message_start
data: {"type":"message_start","message":{"id":"msg_01","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":472,"cache_creation_input_tokens":10,"cache_read_input_tokens":100,"output_tokens":2}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"The weather"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQBCg"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Let me "}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"check."}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_01","name":"get_weather","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"location\\": \\"San"}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":" Francisco\\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":89}}

event: message_stop
data: {"type":"message_stop"}

`;

const whole: FoldedTurn = {
  dialect: 'anthropic',
  streamed: true,
  complete: true,
  parts: [
    { kind: 'reasoning', text: 'The weather', signature: 'EqQBCg' },
    { kind: 'text', text: 'Let me check.' },
    { kind: 'call', id: 'toolu_01', name: 'get_weather', arguments: { location: 'San Francisco' } },
  ],
  stop: 'tool-calls',
  stopWord: 'tool_use',
  usage: { input: 582, output: 89, cachedInput: 100, cacheWrite5m: 10, cacheWrite1h: 0 },
  id: 'msg_01',
  model: 'claude-sonnet-4-5',
  faults: [],
  oddities: [],
};

function foldText(text: string, how: 'end' | 'cut' = 'end'): FoldedTurn {
  const fold = dialect.createFold();
  for (const event of createSseParser().push(text)) fold.push(event);
  return fold.end(how);
}

describe('a recorded stream', () => {
  test('folds to its turn', () => {
    expect(foldText(recorded)).toEqual(whole);
  });

  test('cut inside the arguments, has their text and no call to make', () => {
    const folded = foldText(recorded.slice(0, recorded.indexOf(' Francisco')), 'cut');
    expect(folded.complete).toBe(false);
    expect(folded.parts.at(-1)).toEqual({
      kind: 'call',
      id: 'toolu_01',
      name: 'get_weather',
      argumentsText: '{"location": "San',
    });
    expect(folded.faults).toEqual([
      {
        rule: 'anthropic.no-message-stop',
        shape: 'S27',
        what: 'the stream was cut off inside block 2',
        event: 13,
      },
    ]);
  });

  test('an overloaded provider is an error, and no broken rule', () => {
    const half = recorded.slice(
      0,
      recorded.indexOf('event: content_block_start\ndata: {"type":"content_block_start","index":1'),
    );
    const folded = foldText(
      `${half}event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n`,
    );
    expect(folded.error).toEqual({ type: 'overloaded_error', message: 'Overloaded' });
    expect(folded.faults).toEqual([]);
    expect(folded.complete).toBe(false);
  });

  test('what comes after the end is a fault, a ping is not', () => {
    expect(foldText(`${recorded}event: ping\ndata: {"type":"ping"}\n\n`)).toEqual(whole);
    const again = foldText(`${recorded}event: message_stop\ndata: {"type":"message_stop"}\n\n`);
    expect(again.faults.map(({ rule }) => rule)).toEqual(['anthropic.after-stop']);
    expect(again.complete).toBe(false);
  });
});

describe('input that is put into the cache', () => {
  const toolMessage = (usage: object): FoldedTurn['usage'] =>
    foldText(
      `event: message_start\ndata: {"type":"message_start","message":{"id":"m","role":"assistant","usage":${JSON.stringify(usage)}}}\n\nevent: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}\n\n`,
    ).usage;

  test('is counted separately, by how long it is kept; five minutes by default', () => {
    const written = { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 50 };
    expect(toolMessage(written)).toEqual({ input: 60, output: 2, cacheWrite5m: 50, cacheWrite1h: 0 });
    const cache_creation = { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 };
    expect(toolMessage({ ...written, cache_creation })).toEqual({
      input: 60,
      output: 2,
      cacheWrite5m: 20,
      cacheWrite1h: 30,
    });
  });

  test('is printed as it was given', () => {
    const usage = { input: 62, output: 2, cachedInput: 2, cacheWrite5m: 20, cacheWrite1h: 30 };
    const about = { id: 'm', model: 'c', createdAt: 1, wantsUsage: true, pieceChars: 3 };
    const body = dialect.printBody({ parts: [{ kind: 'text', text: 'x' }], stop: 'end', usage }, about);
    expect(body).toMatchObject({
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 2,
        cache_creation_input_tokens: 50,
        cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
      },
    });
  });
});

describe('a body', () => {
  const turn: Turn = {
    parts: [
      { kind: 'text', text: 'Hi' },
      { kind: 'call', id: 'toolu_1', name: 'a', arguments: { b: [1] } },
    ],
    stop: 'tool-calls',
    usage: { input: 12, output: 3, cachedInput: 2, reasoning: 1 },
  };
  const about = { id: 'msg_9', model: 'claude', createdAt: 1, wantsUsage: true, pieceChars: 3 };

  test('has the form of the provider', () => {
    expect(dialect.printBody(turn, about)).toEqual({
      id: 'msg_9',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 'toolu_1', name: 'a', input: { b: [1] }, caller: { type: 'direct' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 2,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: 3,
        output_tokens_details: { thinking_tokens: 1 },
        server_tool_use: null,
        service_tier: 'standard',
        inference_geo: null,
        speed: null,
      },
    });
  });

  test.each([
    [{ ...dialect.printBody(turn, about), stop_reason: null }, 'anthropic.no-stop-reason'],
    [{ ...dialect.printBody(turn, about), content: [] }, 'anthropic.no-calls'],
    [{ ...dialect.printBody(turn, about), content: 'Hi' }, 'anthropic.body-form'],
    [{ id: 'chatcmpl-1', object: 'chat.completion', choices: [] }, 'anthropic.body-form'],
    ['Hi', 'anthropic.body-form'],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'anthropic.error-status'],
  ])('that breaks a rule is not whole (%#)', (body, rule) => {
    const folded = dialect.foldBody(body, 200);
    expect(folded.complete).toBe(false);
    expect(folded.faults[0]?.rule).toBe(rule);
  });
});

describe('refusals', () => {
  test.each([
    ['invalid-request', 400, 'invalid_request_error'],
    ['invalid-request', 413, 'request_too_large'],
    ['invalid-request', 409, 'conflict_error'],
    ['authentication', 401, 'authentication_error'],
    ['billing', 402, 'billing_error'],
    ['permission', 403, 'permission_error'],
    ['not-found', 404, 'not_found_error'],
    ['rate-limit', 429, 'rate_limit_error'],
    ['server', 500, 'api_error'],
    ['server', 504, 'timeout_error'],
    ['overloaded', 529, 'overloaded_error'],
    ['context-overflow', 400, 'invalid_request_error'],
  ] as const)('%s with %i is %s', (kind, status, type) => {
    const body = dialect.printError({ kind, status, message: 'No.' });
    expect(body).toEqual({ type: 'error', error: { type, message: 'No.' } });
    const folded = dialect.foldBody(body, status);
    expect(folded).toMatchObject({
      complete: false,
      error: { type, message: 'No.', code: String(status) },
      faults: [],
    });
  });

  test('in an unknown form are identified by their status', () => {
    const folded = dialect.foldBody({ message: 'nope' }, 502);
    expect(folded.error?.type).toBe('http_502');
    expect(folded.faults.map(({ rule }) => rule)).toEqual(['anthropic.error-form']);
  });
});

test('the address', () => {
  for (const path of ['/v1/messages', '/anthropic/v1/messages', '/llm/anthropic/messages', '/v1/messages/']) {
    expect(dialect.route('POST', path), path).toEqual({});
  }
  for (const path of [
    '/v1/messages/count_tokens',
    '/v1/messages/batches',
    '/v1/chat/completions',
    '/v1/mymessages',
    '/v1/threads/t1/messages',
    '/api/messages',
    '/messages',
  ]) {
    expect(dialect.route('POST', path), path).toBeUndefined();
  }
  expect(dialect.route('GET', '/v1/messages')).toBeUndefined();
});
