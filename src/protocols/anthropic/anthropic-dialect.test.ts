import { describe, expect, test } from 'vitest';
import { createSseParser } from '../sse/sse-parser.ts';
import { foldLimits } from '../turn/fold-limits.ts';
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
  usage: { input: 582, output: 89, cachedInput: 100 },
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

function foldEvents(...events: readonly object[]): FoldedTurn {
  const fold = dialect.createFold();
  for (const event of events) fold.push({ data: JSON.stringify(event) });
  return fold.end('end');
}

function start(index: number, content_block: object): object {
  return { type: 'content_block_start', index, content_block };
}

const begin = { type: 'message_start', message: { id: 'msg_1', content: [], usage: { input_tokens: 1 } } };
const stop = (index: number): object => ({ type: 'content_block_stop', index });
const delta = (index: number, one: object): object => ({ type: 'content_block_delta', index, delta: one });
const ended = (stop_reason: string): readonly object[] => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

describe('a recorded stream', () => {
  test('folds to its turn', () => {
    expect(foldText(recorded)).toEqual(whole);
  });

  test('cut inside of the arguments, has their text and no call to make', () => {
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
        what: 'the stream was cut off inside of block 2',
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

  test('what comes after the end is a fault, a ping is none', () => {
    expect(foldText(`${recorded}event: ping\ndata: {"type":"ping"}\n\n`)).toEqual(whole);
    const again = foldText(`${recorded}event: message_stop\ndata: {"type":"message_stop"}\n\n`);
    expect(again.faults.map(({ rule }) => rule)).toEqual(['anthropic.after-stop']);
    expect(again.complete).toBe(false);
  });
});

describe('blocks', () => {
  test('thinking that is not shown, redacted thinking and thinking side by side stay as they are', () => {
    const folded = foldEvents(
      begin,
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'signature_delta', signature: 'ab' }),
      delta(0, { type: 'signature_delta', signature: 'cd' }),
      stop(0),
      start(1, { type: 'thinking', thinking: 'so', signature: 'x' }),
      stop(1),
      start(2, { type: 'redacted_thinking', data: 'EmwK' }),
      stop(2),
      ...ended('end_turn'),
    );
    expect(folded.faults).toEqual([]);
    expect(folded.parts).toEqual([
      { kind: 'reasoning', text: '', signature: 'abcd' },
      { kind: 'reasoning', text: 'so', signature: 'x' },
      { kind: 'reasoning', text: '', redacted: 'EmwK' },
    ]);
  });

  test('a call of the provider itself is no call', () => {
    const folded = foldEvents(
      begin,
      start(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"query":' }),
      delta(0, { type: 'input_json_delta', partial_json: '"tides"}' }),
      stop(0),
      ...ended('pause_turn'),
    );
    expect(folded.parts).toEqual([
      {
        kind: 'other',
        type: 'server_tool_use',
        value: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'tides' } },
      },
    ]);
    expect(folded).toMatchObject({ complete: true, stop: 'pause' });
  });

  test('an input that the length cut off is legal, and has no arguments', () => {
    const cut = [
      begin,
      start(0, { type: 'tool_use', id: 't', name: 'a', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"a":' }),
      stop(0),
    ];
    const part = { kind: 'call', id: 't', name: 'a', argumentsText: '{"a":' };
    expect(foldEvents(...cut, ...ended('max_tokens'))).toMatchObject({
      complete: true,
      parts: [part],
      faults: [],
    });
    const claimed = foldEvents(...cut, ...ended('tool_use'));
    expect(claimed).toMatchObject({ complete: false, parts: [part] });
    expect(claimed.faults).toEqual([
      {
        rule: 'anthropic.input-form',
        shape: 'A10',
        what: 'the input of block 0 is cut off: "{\\"a\\":"',
        event: 4,
      },
    ]);
  });

  test('an input without its beginning was not cut off by the length', () => {
    const headless = delta(0, { type: 'input_json_delta', partial_json: 'path":"a' });
    const call = start(0, { type: 'tool_use', id: 't', name: 'a', input: {} });
    const folded = foldEvents(begin, call, headless, stop(0), ...ended('max_tokens'));
    expect(folded.faults.map(({ rule, shape }) => [rule, shape])).toEqual([['anthropic.input-form', 'A10']]);
  });

  test('a delta or a stop of another block is not taken for the open one', () => {
    const open = [begin, start(0, { type: 'text', text: '' })];
    const stray = foldEvents(
      ...open,
      delta(1, { type: 'text_delta', text: 'b' }),
      stop(0),
      ...ended('end_turn'),
    );
    expect(stray.parts).toEqual([{ kind: 'text', text: '' }]);
    expect(stray.faults.map(({ what }) => what)).toEqual(['a delta came for block 1, and block 0 is open']);
    const early = foldEvents(...open, stop(1), stop(0), ...ended('end_turn'));
    expect(early.faults.map(({ what }) => what)).toEqual(['a stop came for block 1, and block 0 is open']);
  });

  test('of an answer that was begun anew, only the first beginning is told', () => {
    const text = (said: string): object => start(0, { type: 'text', text: said });
    const again = { type: 'message_start', message: { id: 'msg_2', content: [], usage: {} } };
    const folded = foldEvents(begin, text('one'), again, text('two'), stop(0), ...ended('end_turn'));
    expect(folded).toMatchObject({ complete: false, stop: null, parts: [{ kind: 'text', text: 'one' }] });
    expect(folded.faults.map(({ rule, shape }) => [rule, shape])).toEqual([
      ['anthropic.other-message', 'A06'],
    ]);
  });

  test('an explanation of a refusal is a part', () => {
    const stop_details = { type: 'refusal', category: 'cyber', explanation: 'It could do harm.' };
    const folded = foldEvents(
      begin,
      { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details }, usage: {} },
      { type: 'message_stop' },
    );
    expect(folded).toMatchObject({
      complete: true,
      stop: 'refusal',
      parts: [{ kind: 'refusal', text: 'It could do harm.' }],
    });
  });

  test('numbers, lists and nothing where a text belongs are named', () => {
    const folded = foldEvents(
      begin,
      start(0, { type: 'text', text: 7 }),
      delta(0, { type: 'text_delta' }),
      stop(0),
      ...ended('end_turn'),
    );
    expect(folded.faults.map(({ what }) => what)).toEqual(['`text` is 7, no text']);
    expect(folded.complete).toBe(false);
  });
});

describe('usage', () => {
  test('is not summed, and what a later event leaves out stays', () => {
    const folded = foldEvents(
      {
        type: 'message_start',
        message: { id: 'm', content: [], usage: { input_tokens: 20, output_tokens: 1 } },
      },
      {
        type: 'message_delta',
        delta: { stop_reason: null },
        usage: { input_tokens: null, output_tokens: 5 },
      },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    );
    expect(folded.usage).toEqual({ input: 20, output: 9 });
  });

  test('is not made up', () => {
    const folded = foldEvents(
      { type: 'message_start', message: { id: 'm', content: [] } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    );
    expect(folded).toMatchObject({ complete: true, usage: null });
    expect(folded.oddities.map(({ rule }) => rule)).toEqual(['anthropic.no-usage']);
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
        { type: 'tool_use', id: 'toolu_1', name: 'a', input: { b: [1] } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 2,
        output_tokens: 3,
        output_tokens_details: { thinking_tokens: 1 },
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

  test('in no form of the provider are told by their status', () => {
    const folded = dialect.foldBody({ message: 'nope' }, 502);
    expect(folded.error?.type).toBe('http_502');
    expect(folded.faults.map(({ rule }) => rule)).toEqual(['anthropic.error-form']);
  });
});

describe('limits', () => {
  const many = (count: number, event: (at: number) => object): FoldedTurn => {
    const fold = dialect.createFold();
    fold.push({ data: JSON.stringify(begin) });
    for (let at = 0; at < count; at += 1) fold.push({ data: JSON.stringify(event(at)) });
    return fold.end('cut');
  };

  test('text, blocks and blocks of other kinds do not grow without end', () => {
    const large = 'x'.repeat(1024 * 1024);
    const texts = many(20, (at) =>
      at === 0 ? start(0, { type: 'text', text: '' }) : delta(0, { type: 'text_delta', text: large }),
    );
    const sizes = texts.parts.map((part) => (part.kind === 'text' ? part.text.length : 0));
    expect(sizes).toEqual([foldLimits.textChars]);
    expect(texts.faults[0]?.rule).toBe('anthropic.too-large');
    const blocks = many(10_000, (at) =>
      at % 2 === 0 ? start(at / 2, { type: 'text', text: '' }) : stop((at - 1) / 2),
    );
    expect(blocks.parts.length).toBeLessThanOrEqual(2_000);
    const others = many(40, (at) =>
      at % 2 === 0 ? start(at / 2, { type: 'image', data: large }) : stop((at - 1) / 2),
    );
    expect(others.parts.length).toBeLessThanOrEqual(8);
  });

  test('depth is bounded in inputs and in blocks of other kinds', () => {
    const deep = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
    const fold = dialect.createFold();
    for (const event of [
      begin,
      start(0, { type: 'tool_use', id: 't', name: 'a', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: deep }),
      stop(0),
    ])
      fold.push({ data: JSON.stringify(event) });
    fold.push({
      data: `{"type":"content_block_start","index":1,"content_block":{"type":"odd","value":${deep}}}`,
    });
    fold.push({ data: JSON.stringify(stop(1)) });
    for (const event of ended('tool_use')) fold.push({ data: JSON.stringify(event) });
    const folded = fold.end('end');
    expect(folded.faults.map(({ rule }) => rule)).toEqual(['anthropic.too-deep', 'anthropic.input-form']);
    expect(() => JSON.stringify(folded)).not.toThrow();
  });
});

test('the address', () => {
  for (const path of ['/v1/messages', '/messages', '/anthropic/v1/messages', '/v1/messages/']) {
    expect(dialect.route('POST', path), path).toEqual({});
  }
  for (const path of [
    '/v1/messages/count_tokens',
    '/v1/messages/batches',
    '/v1/chat/completions',
    '/v1/mymessages',
  ]) {
    expect(dialect.route('POST', path), path).toBeUndefined();
  }
  expect(dialect.route('GET', '/v1/messages')).toBeUndefined();
});
