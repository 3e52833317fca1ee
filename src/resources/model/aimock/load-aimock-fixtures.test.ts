import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../kernel/clock.ts';
import { ScriptValues } from '../../script-values.ts';
import { openScript } from '../script/open-script.ts';
import type { RequestView } from '../script-line.ts';
import { loadAimockFixtures } from './load-aimock-fixtures.ts';

const nothing: RequestView = {
  asks: 'turn',
  model: 'gpt-4o',
  stream: true,
  system: '',
  text: '',
  messages: [],
  turn: 0,
  results: [],
  tools: [],
  maxTokens: null,
  headers: {},
  path: '/v1/chat/completions',
  json: {},
};

function shown(fixtures: readonly unknown[], ...views: readonly Partial<RequestView>[]): unknown[] {
  const script = openScript({}, { '*': loadAimockFixtures({ fixtures }) }, new ScriptValues(systemClock));
  return views.map((view) => {
    const choice = script.choose('agent', () => ({ ...nothing, ...view }));
    return choice.kind === 'line' ? (choice.line.says ?? choice.line) : choice.kind;
  });
}

const says = (match: object, content: string, more: object = {}): object => ({
  match,
  response: { content },
  ...more,
});

describe('what a fixture matches', () => {
  test.each<[string, object, Partial<RequestView>, Partial<RequestView>]>([
    ['userMessage', { userMessage: 'ell' }, { text: 'hello' }, { text: 'hullo' }],
    ['systemMessage', { systemMessage: ['a', 'b'] }, { system: 'b and a' }, { system: 'a' }],
    [
      'toolCallId',
      { toolCallId: 'c1' },
      { results: [{ id: 'c1', text: '' }] },
      { results: [{ id: 'c2', text: '' }] },
    ],
    ['toolResultContains', { toolResultContains: 'ok' }, { results: [{ id: 'c', text: 'it is ok' }] }, {}],
    ['toolName', { toolName: 'search' }, { tools: ['search'] }, { tools: ['find'] }],
    ['model, its issues too', { model: 'gpt-4o' }, { model: 'gpt-4o-2024-08-06' }, { model: 'gpt-4o-mini' }],
    [
      'responseFormat',
      { responseFormat: 'json_object' },
      { json: { response_format: { type: 'json_object' } } },
      {},
    ],
    ['hasToolResult', { hasToolResult: true }, { results: [{ id: 'c', text: '' }] }, {}],
    ['hasToolResult: false', { hasToolResult: false }, {}, { results: [{ id: 'c', text: '' }] }],
    ['turnIndex', { turnIndex: 2 }, { turn: 2 }, { turn: 1 }],
    ['context', { context: 'left' }, { headers: { 'x-aimock-context': 'left' } }, {}],
  ])('%s', (_, match, fits, fitsNot) => {
    expect(shown([says(match, 'told')], fits, fitsNot)).toEqual(['told', 'unscripted']);
  });

  test('several conditions hold together', () => {
    const match = { userMessage: 'a', model: 'm' };
    expect(shown([says(match, 'told')], { text: 'a', model: 'm' }, { text: 'a' })).toEqual([
      'told',
      'unscripted',
    ]);
  });

  test('the first that fits is used, and one without conditions when no other does', () => {
    const fixtures = [says({}, 'else'), says({ userMessage: 'ab' }, 'ab'), says({ userMessage: 'a' }, 'a')];
    expect(shown(fixtures, { text: 'abc' }, { text: 'ac' }, { text: 'x' })).toEqual(['ab', 'a', 'else']);
  });

  test('a sequence is used in its order, and then the next fixture', () => {
    const joke = { userMessage: 'joke' };
    const fixtures = [
      says({ ...joke, sequenceIndex: 1 }, 'second'),
      says({ ...joke, sequenceIndex: 0 }, 'first'),
      says(joke, 'again'),
    ];
    const view = { text: 'a joke' };
    expect(shown(fixtures, view, view, view, view)).toEqual(['first', 'second', 'again', 'again']);
  });

  test('of several turns the last that was reached', () => {
    const fixtures = [says({ turnIndex: 0 }, 'zero'), says({ turnIndex: 2 }, 'two')];
    expect(shown(fixtures, { turn: 0 }, { turn: 1 }, { turn: 2 }, { turn: 5 })).toEqual([
      'zero',
      'zero',
      'two',
      'two',
    ]);
  });
});

describe('what a fixture answers', () => {
  const line = (response: object, more: object = {}): unknown =>
    loadAimockFixtures({ fixtures: [{ match: {}, response, ...more }] }, 'f')[0];

  test('text, also as structured output, with reasoning and usage', () => {
    const usage = { prompt_tokens: 7, completion_tokens: 3 };
    expect(line({ content: { a: 1 }, reasoning: 'hm', usage, finishReason: 'length' })).toEqual({
      says: '{"a":1}',
      reasons: 'hm',
      usage: { input: 7, output: 3 },
      stop: 'length',
      firstOf: 'f',
    });
  });

  test('calls, whose arguments are an object or its text', () => {
    const toolCalls = [
      { name: 'a', arguments: '{"x":1}', id: 'c1' },
      { name: 'b', arguments: { y: 2 } },
      { name: 'c', arguments: '' },
    ];
    expect(line({ toolCalls })).toMatchObject({
      calls: [
        { name: 'a', arguments: { x: 1 }, id: 'c1' },
        { name: 'b', arguments: { y: 2 } },
        { name: 'c', arguments: {} },
      ],
    });
  });

  test('blocks', () => {
    const blocks = [
      { type: 'toolCall', name: 'a', arguments: '{}' },
      { type: 'text', text: 'Let me ' },
      { type: 'text', text: 'look.' },
    ];
    expect(line({ blocks })).toMatchObject({ says: 'Let me look.', calls: [{ name: 'a', arguments: {} }] });
  });

  test('errors', () => {
    expect(line({ error: { message: 'slow down', type: 'x' }, status: 429, retryAfter: 3 })).toMatchObject({
      error: { status: 429, message: 'slow down', retryAfter: '3' },
    });
    expect(line({ error: { message: 'oh' } })).toMatchObject({ error: { status: 500 } });
  });

  test('its pace', () => {
    expect(line({ content: 'x' }, { latency: 5, chunkSize: 4 })).toMatchObject({ paceMs: 5, pieceChars: 4 });
    expect(line({ content: 'x' }, { streamingProfile: { ttft: 200, tps: 40 } })).toMatchObject({
      afterMs: 200,
      paceMs: 25,
    });
  });

  test('pictures and vectors are for others', () => {
    expect(line({ embedding: [1] })).toBeUndefined();
    expect(line({ image: { url: 'x' } })).toBeUndefined();
    expect(
      loadAimockFixtures({ fixtures: [says({ endpoint: 'image' }, 'x'), says({ inputText: 'y' }, 'x')] }),
    ).toEqual([]);
  });
});

describe('what is not a fixture is reported with its place', () => {
  test.each([
    ['no list', { fixtures: 7 }, /^f: it holds/],
    ['nothing', undefined, /^f: it holds/],
    ['no response', { fixtures: [{ match: {} }] }, /^f, fixtures\[0\]: it is \{ match: \{\} \}/],
    ['null', { fixtures: [null] }, /fixtures\[0\]: it is null/],
    [
      'a condition of another kind',
      { fixtures: [says({ userMessage: 3 }, 'x')] },
      /`match.userMessage` is 3/,
    ],
    ['an unknown condition', { fixtures: [says({ moon: 'full' }, 'x')] }, /`match.moon` is "full"/],
    [
      'arguments that are not an object',
      { fixtures: [{ match: {}, response: { toolCalls: [{ name: 'a', arguments: '[' }] } }] },
      /call 1: it is/,
    ],
    [
      'what the wire does',
      { fixtures: [says({}, 'x', { truncateAfterChunks: 2 })] },
      /`truncateAfterChunks` cannot be played/,
    ],
  ])('%s', (_, json, message) => {
    expect(() => loadAimockFixtures(json, 'f')).toThrow(message);
  });
});
