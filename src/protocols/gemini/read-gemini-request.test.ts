import { describe, expect, test } from 'vitest';
import { seal } from '../turn/seal.ts';
import { readGeminiRequest } from './read-gemini-request.ts';

const route = { model: 'gemini-2.5-pro', stream: true };
const user = (...parts: readonly unknown[]): object => ({ role: 'user', parts });
const model = (...parts: readonly unknown[]): object => ({ role: 'model', parts });
const text = (said: string): object => ({ text: said });
const call = (name: string, more: object = {}): object => ({ functionCall: { name, args: {}, ...more } });
const result = (name: string, more: object = {}): object => ({
  functionResponse: { name, response: { ok: true }, ...more },
});

function rules(...contents: readonly object[]): readonly string[] {
  const { faults, historyFaults } = readGeminiRequest({ contents }, route);
  expect(faults).toEqual([]);
  return historyFaults.map(({ rule }) => rule);
}

test('a single value is read as a list of one, as in the examples of the provider', () => {
  const request = {
    system_instruction: { parts: text('You are a cat.') },
    contents: { parts: text('Hello there') },
    tools: { functionDeclarations: { name: 'look' } },
  };
  expect(readGeminiRequest(request, route)).toMatchObject({
    system: 'You are a cat.',
    messages: [{ role: 'user', text: 'Hello there' }],
    tools: [{ name: 'look' }],
    faults: [],
    historyFaults: [],
  });
});

test('a request as clients send it, in both spellings of names', () => {
  const parameters = { type: 'OBJECT', properties: {} };
  const contents = [
    user(text('Look.')),
    model({ text: 'so', thought: true }, text('I look.'), call('look', { id: 'c1' })),
    user(result('look', { id: 'c1' })),
  ];
  const camel = {
    systemInstruction: { parts: [text('Be brief.')] },
    contents,
    tools: [{ functionDeclarations: [{ name: 'look', parameters }] }, { googleSearch: {} }],
    generationConfig: { maxOutputTokens: 50 },
  };
  const snake = {
    system_instruction: { parts: [text('Be brief.')] },
    contents,
    tools: [{ function_declarations: [{ name: 'look', parameters }] }, { google_search: {} }],
    generation_config: { max_output_tokens: 50 },
  };
  const read = {
    model: 'gemini-2.5-pro',
    stream: true,
    wantsUsage: true,
    wantsSeals: true,
    system: 'Be brief.',
    messages: [
      { role: 'user', text: 'Look.', calls: [], results: [] },
      { role: 'assistant', text: 'I look.', calls: [{ id: 'c1', name: 'look', arguments: {} }], results: [] },
      { role: 'tool', text: '', calls: [], results: [{ id: 'c1', text: '{"ok":true}' }] },
    ],
    tools: [{ name: 'look', schema: parameters }],
    maxTokens: 50,
    faults: [],
    historyFaults: [],
  };
  expect(readGeminiRequest(camel, route)).toEqual(read);
  expect(readGeminiRequest(snake, route)).toEqual(read);
});

describe('a request that no provider would take', () => {
  const contents = [user(text('a'))];
  test.each([
    [7, ['gemini.request-form', 'gemini.no-contents']],
    [{}, ['gemini.no-contents']],
    [{ contents: [] }, ['gemini.no-contents']],
    [{ contents: ['a'] }, ['gemini.content-form']],
    [{ contents: [{ role: 'assistant', parts: [text('a')] }] }, ['gemini.role']],
    [{ contents: [{ role: 'user', parts: 'a' }] }, ['gemini.parts-form']],
    [{ contents, generationConfig: 7 }, ['gemini.config-form']],
    [{ contents, generationConfig: { maxOutputTokens: 0 } }, ['gemini.max-tokens']],
    [{ contents, tools: [7] }, ['gemini.tools-form']],
    [{ contents, tools: [{ functionDeclarations: [{ name: '1 a' }] }] }, ['gemini.tool-name']],
    [{ contents, tools: [{ functionDeclarations: [{ name: 'a' }, { name: 'a' }] }] }, ['gemini.tool-again']],
  ])('%j', (body, expected) => {
    expect(readGeminiRequest(body, route).faults.map(({ rule }) => rule)).toEqual(expected);
  });
});

describe('history', () => {
  test('that is sound', () => {
    expect(rules({ parts: [text('a')] })).toEqual([]);
    expect(
      rules(
        user(text('a')),
        model(call('f'), call('f'), call('g')),
        user(result('g'), result('f'), result('f')),
        model(call('g')),
        { role: 'function', parts: [result('g')] },
      ),
    ).toEqual([]);
  });

  test.each([
    ['no parts', [user()], ['gemini.empty-content']],
    ['a part without data', [user({})], ['gemini.empty-part']],
    [
      'a result that is not an object',
      [user(text('a')), model(call('f')), user(result('f', { response: 'x' }))],
      ['gemini.result-form'],
    ],
    ['a result of null', [user(text('a')), model(call('f')), user(result('f', { response: null }))], []],
    [
      'one content for each chunk of a stream',
      [user(text('a')), model(text('b')), model(call('f')), model(call('g')), user(result('f'), result('g'))],
      [],
    ],
    ['a call first', [model(call('f')), user(result('f'))], ['gemini.call-place']],
    ['a call of the user', [user(text('a')), user(call('f')), user(result('f'))], ['gemini.part-role']],
    [
      'a call without its result',
      [user(text('a')), model(call('f'), call('g')), user(result('f'))],
      ['gemini.call-without-result'],
    ],
    ['a call at the end', [user(text('a')), model(call('f'))], ['gemini.call-without-result']],
    [
      'results in two contents',
      [user(text('a')), model(call('f'), call('g')), user(result('f')), user(result('g'))],
      ['gemini.call-without-result', 'gemini.result-without-call'],
    ],
    [
      'a result without its call',
      [user(text('a')), model(text('b')), user(result('f'))],
      ['gemini.result-without-call'],
    ],
    [
      'one result too many',
      [user(text('a')), model(call('f')), user(result('f'), result('f'))],
      ['gemini.result-without-call'],
    ],
    [
      'the result under another name, as the provider takes it',
      [user(text('a')), model(call('f')), user(result('g'))],
      [],
    ],
  ])('%s', (_, contents, expected) => {
    expect(rules(...contents)).toEqual(expected);
  });
});

describe('signatures of thoughts', () => {
  const signed = (name: string, thoughtSignature: string): object => ({ ...call(name), thoughtSignature });
  const history = (version: string, first: object): readonly string[] => {
    const contents = [
      user(text('a')),
      model(call('f')),
      user(result('f')),
      model(text('b')),
      user(text('c')),
      model(first, call('g')),
      user(result('f'), result('g')),
    ];
    const { historyFaults } = readGeminiRequest({ contents }, { model: version });
    return historyFaults.map(({ rule }) => rule);
  };

  test.each([
    ['gemini-3-pro', signed('f', seal('x')), []],
    ['gemini-3-pro', signed('f', 'skip_thought_signature_validator'), []],
    ['gemini-3-pro', signed('f', btoa('skip_thought_signature_validator')), []],
    ['gemini-3-pro', signed('f', btoa('skip_thought')), ['gemini.invalid-signature']],
    ['gemini-3-pro', call('f'), ['gemini.no-signature']],
    ['gemini-2.5-pro', call('f'), []],
    ['gemini-2.5-pro', signed('f', `${seal('x').slice(0, -4)}AA==`), ['gemini.invalid-signature']],
  ])('%s %j', (version, first, expected) => {
    expect(history(version, first)).toEqual(expected);
  });

  test('in a history with a content for each chunk of a stream, the first call of the turn alone has one', () => {
    const rulesOf = (...chunks: readonly object[]): readonly string[] => {
      const contents = [
        user(text('a')),
        ...chunks.map((chunk) => model(chunk)),
        user(result('f'), result('g')),
      ];
      const { historyFaults } = readGeminiRequest({ contents }, { model: 'gemini-3-pro' });
      return historyFaults.map(({ rule }) => rule);
    };
    expect(rulesOf(text('b'), signed('f', seal('x')), call('g'))).toEqual([]);
    expect(rulesOf(call('f'), signed('g', seal('x')))).toEqual(['gemini.no-signature']);
  });
});
