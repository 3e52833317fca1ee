import { describe, expect, test } from 'vitest';
import { askedForAll } from '../../../test/harness/asked-for-all.ts';
import { createRandom } from '../../kernel/random.ts';
import { shapeOf } from '../shapes/shape-table.ts';
import { foldAnswer } from '../shapes/wire-answer.ts';
import type { PrintedEvent, ProviderError } from '../turn/dialect.ts';
import type { FoldedTurn, Turn } from '../turn/turn.ts';
import { responsesDialect as dialect } from './responses-dialect.ts';

const about = { id: 'resp_1', model: 'gpt-5', createdAt: 1_700_000_000, wantsUsage: true, pieceChars: 4 };
const usage = { input: 9, output: 5, cachedInput: 2, reasoning: 1 };
const turn: Turn = {
  parts: [
    { kind: 'reasoning', text: 'Hm, hm.', signature: 'sealed' },
    { kind: 'text', text: 'Looking at 数据.' },
    { kind: 'call', id: 'call_a', name: 'read', arguments: { path: 'a.txt' } },
    { kind: 'call', id: 'call_b', name: 'list', arguments: {} },
  ],
  stop: 'tool-calls',
  usage,
};

function fold(events: readonly PrintedEvent[], how: 'end' | 'cut' = 'end'): FoldedTurn {
  const fold = dialect.createFold();
  for (const event of events) fold.push(event);
  return fold.end(how);
}

function foldValues(values: readonly unknown[]): FoldedTurn {
  return fold(values.map((value) => ({ data: JSON.stringify(value) })));
}

const rules = ({ faults }: FoldedTurn): readonly string[] => faults.map(({ rule }) => rule);
const plain = dialect.printEvents(turn, about);
const typeAt = (type: string): number => plain.findIndex(({ event }) => event === type);

test('only a post to responses is of this dialect', () => {
  expect(dialect.route('POST', '/v1/responses')).toEqual({});
  expect(dialect.route('POST', '/responses')).toEqual({});
  expect(dialect.route('GET', '/v1/responses')).toBeUndefined();
  expect(dialect.route('POST', '/v1/responses/resp_1/cancel')).toBeUndefined();
  expect(dialect.route('POST', '/v1/chat/completions')).toBeUndefined();
});

test('a call in a namespace comes back as it was sent, from a stream and from a body', () => {
  const call = { kind: 'call', id: 'c1', name: 'calc.add', arguments: { a: 1 }, namespace: 'calc' } as const;
  const made: Turn = { parts: [call], stop: 'tool-calls', usage };
  const body = dialect.printBody(made, about);
  expect(body.output).toMatchObject([{ type: 'function_call', name: 'add', namespace: 'calc' }]);
  expect(dialect.foldBody(body, 200).parts).toEqual([call]);
  expect(fold(dialect.printEvents(made, about)).parts).toEqual([call]);
});

test('the plainest stream has the events of the provider, numbered from 0', () => {
  const short: Turn = { parts: [{ kind: 'text', text: 'Hi' }], stop: 'end', usage };
  const events = dialect.printEvents(short, about);
  expect(events.map(({ event }) => event)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(events.map(({ data }) => JSON.parse(data).sequence_number)).toEqual([...events.keys()]);
  const { response } = JSON.parse(events.at(-1)?.data ?? '');
  expect(response).toEqual(dialect.printBody(short, about));
  expect(response).toMatchObject({ id: 'resp_1', object: 'response', status: 'completed', model: 'gpt-5' });
});

test('a folded turn has id, model, usage and why it ended', () => {
  expect(fold(plain)).toEqual({
    dialect: 'openai-responses',
    streamed: true,
    complete: true,
    parts: turn.parts,
    stop: 'tool-calls',
    stopWord: 'completed',
    usage,
    id: 'resp_1',
    model: 'gpt-5',
    faults: [],
    oddities: [],
  });
});

test('so far: what has come, and complete only behind the end', () => {
  const fold = dialect.createFold();
  const seen = plain.map((event) => {
    fold.push(event);
    return fold.soFar().complete;
  });
  expect(seen.indexOf(true)).toBe(plain.length - 1);
  const half = dialect.createFold();
  for (const event of plain.slice(0, typeAt('response.function_call_arguments.delta') + 1)) half.push(event);
  expect(half.soFar().parts.at(-1)).toEqual({
    kind: 'call',
    id: 'call_a',
    name: 'read',
    argumentsText: '{"pa',
  });
  expect(half.soFar().faults).toEqual([]);
  expect(rules(half.end('cut'))).toEqual(['responses.no-end', 'responses.arguments-broken']);
});

test('so far: a part that begins with its first fragment has it once', () => {
  const fold = dialect.createFold();
  const place = { output_index: 0, content_index: 0 };
  const part = { type: 'output_text', text: 'Hi' };
  for (const event of [
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', content: [] } },
    { type: 'response.content_part.added', ...place, part },
    { type: 'response.output_text.delta', ...place, delta: 'Hi' },
    { type: 'response.output_text.delta', ...place, delta: ' there' },
  ]) {
    fold.push({ data: JSON.stringify(event) });
  }
  expect(fold.soFar().parts).toEqual([{ kind: 'text', text: 'Hi there' }]);
});

describe('shapes have the names of the rules that they break', () => {
  const made = (id: string, seed = '1'): FoldedTurn => {
    const shape = shapeOf(id);
    const random = createRandom(seed);
    const answer = shape?.make?.({
      dialect: 'openai-responses',
      turn,
      about,
      streamed: true,
      asked: askedForAll,
      random,
    });
    if (answer === undefined) throw new Error(`${id} makes nothing of this turn`);
    return foldAnswer(dialect, answer);
  };

  test.each([
    ['R08', 'responses.no-end'],
    ['R17', 'responses.delta-after-done'],
    ['R19', 'responses.created-completed'],
    ['R24', 'responses.nothing'],
  ])('%s: %s', (id, rule) => {
    const { faults } = made(id);
    expect(faults.find((fault) => fault.rule === rule)?.shape).toBe(id);
  });

  test('R05, with nothing at all and with items that were never done', () => {
    const seen = Array.from({ length: 20 }, (_, seed) => rules(made('R05', `${seed}`))).flat();
    expect(seen).toContain('responses.completed-empty');
    expect(seen).toContain('responses.not-done');
  });

  test('R06, R07 and R21 are failures of the provider, in its own words', () => {
    expect(made('R07').error).toMatchObject({ code: 'rate_limit_exceeded', message: 'Rate limit reached.' });
    expect(made('R06').error?.message).toEqual(expect.any(String));
    expect(made('R21').error).toMatchObject({ code: 'invalid_encrypted_content' });
  });

  test.each(['R02', 'R09', 'R10', 'R11', 'R13', 'R16'])('%s is odd, and reported with its name', (id) => {
    const { oddities, complete } = made(id);
    expect(complete).toBe(true);
    expect(oddities.map(({ shape }) => shape)).toContain(id);
  });

  test('R17 loses nothing', () => {
    const text = made('R17').parts.find(({ kind }) => kind === 'text');
    expect(text).toEqual({ kind: 'text', text: 'Looking at 数据.' });
  });

  test('R22: the provider has run its tool, and asks for nothing', () => {
    const said: Turn = { parts: [{ kind: 'text', text: 'Sunny.' }], stop: 'end' };
    const shape = shapeOf('R22');
    const random = createRandom('1');
    const answer = shape?.make?.({
      dialect: 'openai-responses',
      turn: said,
      about,
      streamed: true,
      asked: askedForAll,
      random,
    });
    const folded = foldAnswer(dialect, answer ?? expect.fail());
    expect(folded.stop).toBe('end');
    expect(folded.parts[0]).toMatchObject({ kind: 'other', type: 'web_search_call' });
  });
});

describe('events that are lost, doubled or swapped are reported', () => {
  const without = (at: number): readonly PrintedEvent[] => plain.filter((_, index) => index !== at);
  const twice = (at: number): readonly PrintedEvent[] =>
    plain.flatMap((event, index) => (index === at ? [event, event] : [event]));

  test.each([
    ['a lost fragment of text', without(typeAt('response.output_text.delta')), 'responses.text-differs'],
    ['a doubled fragment of text', twice(typeAt('response.output_text.delta')), 'responses.text-differs'],
    [
      'a doubled fragment of arguments',
      twice(typeAt('response.function_call_arguments.delta')),
      'responses.text-differs',
    ],
    ['a doubled item', twice(typeAt('response.output_item.added')), 'responses.index-taken'],
    ['a doubled end', twice(plain.length - 1), 'responses.after-end'],
    ['a lost end', without(plain.length - 1), 'responses.no-end'],
  ])('%s', (_, events, rule) => {
    const folded = fold(events);
    expect(rules(folded)).toContain(rule);
    expect(folded.complete).toBe(false);
  });
});

describe('rules', () => {
  const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '' };
  const completed = (output: unknown): unknown => ({
    type: 'response.completed',
    response: { status: 'completed', output },
  });

  test.each<[string, readonly unknown[]]>([
    ['responses.arguments-broken', [completed([{ ...call, arguments: '{"a":' }])]],
    ['responses.arguments-broken', [completed([{ ...call, arguments: '[1]' }])]],
    ['responses.call-without-name', [completed([{ type: 'function_call', call_id: 'c', arguments: '{}' }])]],
    ['responses.call-without-id', [completed([{ type: 'function_call', name: 'f', arguments: '{}' }])]],
    ['responses.bad-delta', [{ type: 'response.output_text.delta', output_index: 0, delta: 7 }]],
    [
      'responses.bad-index',
      [{ type: 'response.output_text.delta', output_index: -1, item_id: 'a', delta: 'x' }],
    ],
    ['responses.no-such-item', [{ type: 'response.output_text.delta', delta: 'x' }]],
    ['responses.no-item', [{ type: 'response.output_item.added', output_index: 0 }]],
    ['responses.no-type', [{ delta: 'x' }]],
    [
      'responses.status-differs',
      [{ type: 'response.completed', response: { status: 'incomplete', output: [call] } }],
    ],
    [
      'responses.created-twice',
      [
        { type: 'response.created', response: { id: 'a' } },
        { type: 'response.created', response: { id: 'b' } },
      ],
    ],
    [
      'responses.wrong-item',
      [
        { type: 'response.output_item.added', output_index: 0, item: call },
        { type: 'response.output_text.delta', output_index: 0, delta: 'x' },
      ],
    ],
    [
      'responses.wrong-part',
      [
        { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'x' },
        { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'x' },
      ],
    ],
  ])('%s', (rule, values) => {
    expect(rules(foldValues(values))).toContain(rule);
  });

  test('fragments that name one item and the place of another stay with the one that they name', () => {
    const added = (index: number) => ({
      type: 'response.output_item.added',
      output_index: index,
      item: { ...call, id: `fc_${index}`, call_id: `c${index}` },
    });
    const fragment = {
      type: 'response.function_call_arguments.delta',
      output_index: 0,
      item_id: 'fc_1',
      delta: '{}',
    };
    const folded = foldValues([added(0), added(1), fragment]);
    expect(rules(folded)).toContain('responses.item-mismatch');
    expect(folded.parts).toMatchObject([
      { id: 'c0', argumentsText: '' },
      { id: 'c1', argumentsText: '{}' },
    ]);
  });

  test('two calls at one index stay two calls', () => {
    const added = (id: string): readonly unknown[] => [
      { type: 'response.output_item.added', output_index: 0, item: { ...call, id: `fc_${id}`, call_id: id } },
      {
        type: 'response.function_call_arguments.delta',
        output_index: 0,
        item_id: `fc_${id}`,
        delta: `{"n":"${id}"}`,
      },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...call, id: `fc_${id}`, call_id: id, arguments: `{"n":"${id}"}` },
      },
    ];
    const folded = foldValues([...added('a'), ...added('b'), completed([])]);
    expect(folded.parts).toMatchObject([
      { id: 'a', arguments: { n: 'a' } },
      { id: 'b', arguments: { n: 'b' } },
    ]);
    expect(folded.complete).toBe(false);
  });

  test('arguments cut off by a length limit are not a wire fault, and not arguments', () => {
    const cut = { ...call, status: 'incomplete', arguments: '{"a":' };
    const incomplete_details = { reason: 'max_output_tokens' };
    const folded = dialect.foldBody({ status: 'incomplete', incomplete_details, output: [cut] }, 200);
    expect(folded).toMatchObject({ complete: true, stop: 'length', faults: [] });
    expect(folded.parts).toEqual([{ kind: 'call', id: 'c', name: 'f', argumentsText: '{"a":' }]);
  });

  test('a custom tool gets its text as it is', () => {
    const item = { type: 'custom_tool_call', call_id: 'c', name: 'sh', input: 'ls -l' };
    const folded = foldValues([{ type: 'response.created', response: {} }, completed([item])]);
    expect(folded.parts).toEqual([{ kind: 'call', id: 'c', name: 'sh', argumentsText: 'ls -l' }]);
    expect(folded).toMatchObject({ complete: true, stop: 'tool-calls' });
  });

  test('what is nested without end, and what never ends, is bounded', () => {
    const deep = `{"type":"response.output_item.added","item":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(rules(fold([{ data: deep }]))).toContain('responses.too-deep');
    const fragment = {
      data: JSON.stringify({
        type: 'response.output_text.delta',
        output_index: 0,
        delta: 'x'.repeat(1_000_000),
      }),
    };
    const large = fold(Array.from({ length: 20 }, () => fragment));
    expect(rules(large)).toContain('responses.too-large');
    const item = (index: number) => ({
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...call, id: `${index}` },
    });
    expect(foldValues(Array.from({ length: 3_000 }, (_, index) => item(index))).parts.length).toBeLessThan(
      2_000,
    );
  });
});

describe('bodies', () => {
  test('a refusal is read in the words in which it is printed', () => {
    const kinds: ProviderError['kind'][] = [
      'authentication',
      'rate-limit',
      'context-overflow',
      'server',
      'billing',
    ];
    for (const kind of kinds) {
      const folded = dialect.foldBody(dialect.printError({ status: 400, kind, message: 'No.' }), 400);
      expect(folded).toMatchObject({ complete: false, faults: [], error: { message: 'No.' } });
    }
    expect(dialect.printError({ status: 400, kind: 'context-overflow', message: 'No.' })).toEqual({
      error: {
        message: 'No.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      },
    });
  });

  test.each<[string, unknown, number, object]>([
    ['an error with status 200', { error: { message: 'No.' } }, 200, { error: { message: 'No.' } }],
    [
      'a failed answer',
      { status: 'failed', output: [], error: { code: 'server_error', message: 'x' } },
      200,
      { error: { code: 'server_error' } },
    ],
    [
      'a cancelled answer',
      { status: 'cancelled', output: [], error: null },
      200,
      { error: { type: 'cancelled' } },
    ],
    [
      'an answer that is not over',
      { status: 'queued', output: [], error: null },
      200,
      { complete: false, stop: null, faults: [] },
    ],
    ['something else', { choices: [] }, 200, { faults: [{ rule: 'responses.not-a-response' }] }],
    [
      'a page',
      '<html>',
      502,
      { error: { type: 'http_502' }, faults: [{ rule: 'responses.error-not-json' }] },
    ],
  ])('%s', (_, body, status, expected) => {
    expect(dialect.foldBody(body, status)).toMatchObject({ complete: false, ...expected });
  });
});
